"""Who of a cleaned list is texted: conditions on columns, people to leave out, a sample."""
