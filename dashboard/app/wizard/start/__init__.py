"""Step 5 in its parts: when, texting hours, a trial, the last question."""
