"""Who changed what and when: one chain of rows that nobody can change unnoticed."""
