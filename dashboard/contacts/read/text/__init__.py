"""Text files: encoding, delimiter, quotation marks, cells."""
