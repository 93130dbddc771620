"""What panels of several files share."""
