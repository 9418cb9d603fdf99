"""Rows from either database into Arrow, without a Python object for every cell."""
