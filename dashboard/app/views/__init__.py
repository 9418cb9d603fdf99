"""The pages, one file each; main.py decides who sees them.

Never rename this folder to `pages`: Streamlit would serve a folder with that name without running main.py and
its sign-in.
"""
