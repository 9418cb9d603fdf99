"""The words that are known: one spelling, one way to find them, and what they say of texts."""
