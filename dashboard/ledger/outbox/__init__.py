"""What sending uses: who sends, what may go out, how it ended, and what people decide."""
