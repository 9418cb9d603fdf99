"""People followed by their numbers: from list to list, in other frames, and in the service's answers."""
