"""A phone cell: split, repaired, parsed, respelled, brought up to date; and the best number of a row."""
