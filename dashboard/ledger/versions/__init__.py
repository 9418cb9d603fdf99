"""From one version of the tables to the next, a module per step."""
