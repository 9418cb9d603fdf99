"""A year of made-up campaigns, so that the pages show something before the first campaign of one's own."""
