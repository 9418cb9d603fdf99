"""Tables as files to take along: what is in them, what they are called, and how they are offered."""
