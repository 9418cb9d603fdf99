"""Statuses and costs as frames."""
