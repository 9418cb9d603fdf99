"""What every page, statement and report adds up, kept up to date by whatever changes a message."""
