"""What people call countries, and what we call them."""
