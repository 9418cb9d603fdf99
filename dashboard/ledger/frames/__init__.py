"""The ledger as frames and files, with the columns that `declared` lists."""
