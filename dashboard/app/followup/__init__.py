"""One campaign after its start: its head with progress, its outcome, its people, its unknown batches."""
