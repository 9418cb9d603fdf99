"""What pages and commands both do with several rooms: connect, check the ledger, forget, report outcomes."""
