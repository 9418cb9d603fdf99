"""A file of any kind to a `Sheet`: texts, the row numbers that its owner sees, and notes."""
