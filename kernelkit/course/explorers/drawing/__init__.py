"""What several panels draw."""
