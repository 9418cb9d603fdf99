"""A new campaign in five steps, one module each; views/new.py shows the one that is open."""
