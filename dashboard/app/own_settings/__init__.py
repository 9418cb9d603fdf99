"""What marketers decide about the dashboard themselves: a form per subject, and who changed what."""
