"""The process of its own in which strangers' files are read, with bounds on memory and time."""
