"""One campaign after it was started: its head with progress, its outcome, its people, its unknown batches."""
