"""What campaigns were going to cost, what was billed, and why the two differ."""
