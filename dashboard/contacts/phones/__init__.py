"""A column of texts to phone numbers, exactly as libphonenumber judges them."""
