"""What generators of web tests reach."""
