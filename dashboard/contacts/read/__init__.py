"""From a file of any kind to a `Sheet`: texts, the row numbers its owner sees, and notes."""
