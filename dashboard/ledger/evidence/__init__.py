"""What the service said of messages, in answers and delivery reports."""
