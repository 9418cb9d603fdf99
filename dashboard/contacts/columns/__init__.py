"""Which column is which."""
