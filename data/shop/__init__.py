"""A fictional shop and the service that sends its texts; `data/history.py` makes a ledger of its year."""
