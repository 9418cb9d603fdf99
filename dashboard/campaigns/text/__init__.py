"""Templates, and filling them in for every contact at once."""
