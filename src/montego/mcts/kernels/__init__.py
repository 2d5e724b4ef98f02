"""The compiled part of the search. It trusts its arguments."""
