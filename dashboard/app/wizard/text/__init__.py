"""The parts of step 4: the text, its variants and options, its preview and cost."""
