"""What pages and commands both do with several rooms: connect, heed the ledger, forget, tell the outcome."""
