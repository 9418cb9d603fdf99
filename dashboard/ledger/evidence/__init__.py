"""What the service said about messages, in answers and delivery reports."""
