"""A contact sheet to contacts with a verdict per row. Pure pandas."""
