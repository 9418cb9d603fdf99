"""When each message is sent."""
