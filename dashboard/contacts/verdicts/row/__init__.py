"""The verdict on a row by itself: the best number of its phone cells; totals and made-up runs of numbers."""
