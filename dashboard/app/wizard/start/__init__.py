"""The parts of step 5: when, texting hours, a trial, the last question."""
