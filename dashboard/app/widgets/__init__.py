"""Parts that several pages draw. They take plain values and draw them; they decide and change nothing."""
