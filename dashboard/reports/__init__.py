"""Statuses and costs as frames and figures. Pure: takes frames, gives frames."""
