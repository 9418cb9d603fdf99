"""Columns of texts in Arrow: without copies, and with each distinct text looked at once."""
