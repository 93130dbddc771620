"""What the command ``kernelkit`` runs: one file for each of its words, and what several of them need."""
