"""Who must not be texted, by columns, remarks, lines, names of files and lists: what is said, of whom."""
