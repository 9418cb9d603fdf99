"""Workbooks: looked into first, then read in a process of their own."""
