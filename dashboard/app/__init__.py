"""Streamlit: the pages a marketer opens, and the routes alongside them."""
