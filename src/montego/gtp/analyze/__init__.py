"""What analyze commands are asked, and what they print."""
