"""What page and server say to one another, and how much of it. Begin at ``requests``."""
