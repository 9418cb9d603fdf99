"""Connections, tables and the words for where things stand."""
