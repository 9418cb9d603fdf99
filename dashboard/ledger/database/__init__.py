"""Connections, tables and the words for states."""
