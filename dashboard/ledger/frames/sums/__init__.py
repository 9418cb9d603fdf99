"""What is read from the tallies: as many rows however many messages there are."""
