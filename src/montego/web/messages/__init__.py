"""What page and server say to one another."""
