"""The web server: pages, the routes alongside them, headers."""
