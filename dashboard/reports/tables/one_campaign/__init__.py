"""One campaign, or whatever messages are given: its facts, its stages, its progress, and its people."""
