"""The verdict on a phone cell: split, repair, parse, respell, look elsewhere; the best of its numbers."""
