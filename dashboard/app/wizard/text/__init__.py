"""Step 4 in its parts: the text, its variants and options, its preview and cost."""
