"""From one version of the tables to the next, a module a step."""
