"""From what is found and said of a row to its status and all reasons; totals, made-up runs, duplicates."""
