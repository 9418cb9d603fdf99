"""The box in which a message is written: it answers while somebody types, and keeps every letter.

A Streamlit component (version 2). `frontend/` is what the browser runs: plain modules, without a build step.
"""
