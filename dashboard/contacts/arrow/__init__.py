"""Columns of texts in Arrow: without copies, and each distinct text looked at once."""
