"""How campaigns stand, as plain values to draw."""
