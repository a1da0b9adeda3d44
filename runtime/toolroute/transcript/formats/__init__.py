"""The wire formats, one file each; adding a file adds a format."""
