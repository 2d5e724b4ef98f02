"""Compiled code for positions of Go. It trusts its arguments."""
