"""Who must not be texted: what the file, its headings, any cell and the opt-out list say, over all rows."""
