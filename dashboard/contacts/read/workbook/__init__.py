"""Workbooks: inspected first, then read in a separate process."""
