"""The experiment of document 002 (the draft of 000) that 000 does not have: its selection."""
