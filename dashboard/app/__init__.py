"""Streamlit: the pages a marketer opens, and the routes beside them."""
