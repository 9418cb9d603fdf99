"""Contacts to messages to an estimate. Pure pandas."""
