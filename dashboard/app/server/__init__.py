"""The web server: pages, the routes beside them, headers."""
