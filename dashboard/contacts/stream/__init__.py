"""Contact sheets larger than memory."""
