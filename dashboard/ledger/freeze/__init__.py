"""Freezing a campaign: order, batches, prices and caps, fixed before the first request."""
