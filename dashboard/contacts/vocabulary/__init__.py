"""What people call things: spellings of headers, countries, line types, yes and no."""
