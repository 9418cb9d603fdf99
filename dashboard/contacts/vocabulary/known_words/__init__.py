"""The words that are known, one spelling for them, and finding them in titles and texts."""
