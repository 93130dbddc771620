"""Pictures: convolutions and banks of them, descriptors of patches, and a synthetic scan to be segmented."""
