"""The verdict on a row: repair, split, parse, respell, choose; consent, duplicates, made-up numbers."""
