"""Names and changes as people read them."""
