"""The command `python -m dashboard`."""
