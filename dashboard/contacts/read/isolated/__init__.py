"""The separate process in which strangers' files are read, with limits on memory and time."""
