"""The other end of GTP: any engine as a process."""
