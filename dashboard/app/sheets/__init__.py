"""What pages show of contact sheets and numbers."""
