"""What several panels show: their data, what was computed once and is stored, and the scripts that computed it."""
