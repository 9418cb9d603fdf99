"""Where the dashboard listens, and what it believes there: token claims and signatures."""
