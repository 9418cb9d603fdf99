"""The status of campaigns, as plain values to draw."""
