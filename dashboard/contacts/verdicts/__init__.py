"""The verdict on a row: its phone cells, the row by itself, consent over all rows, duplicates."""
