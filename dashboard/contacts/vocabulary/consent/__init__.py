"""What words say about texts: refusals in any cell and heading, answers in the columns meant for them."""
