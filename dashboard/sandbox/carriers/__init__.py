"""What happens after a message was accepted, and faults on purpose."""
