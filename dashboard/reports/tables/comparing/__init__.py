"""Groups set side by side: shares with their ranges, and what may be said of the difference."""
