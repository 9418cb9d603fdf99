"""A row for every message, status or person, read part by part."""
