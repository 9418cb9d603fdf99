"""How long a text is: characters, credits, links, and what carriers make of it."""
