"""What a campaign costs, and what would make it cheaper."""
