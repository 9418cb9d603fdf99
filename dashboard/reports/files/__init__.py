"""Reports as files, and delivery reports from files."""
