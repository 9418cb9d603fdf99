"""Copies of a ledger: how they are taken and put back, and what is in doubt then."""
