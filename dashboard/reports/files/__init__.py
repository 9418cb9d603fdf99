"""Reports as files, and delivery reports out of files."""
