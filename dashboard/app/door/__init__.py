"""Where the dashboard listens, and what is believed there: claims of tokens, signatures."""
