"""Builds the kernel's tables from the installed `phonenumbers`."""
