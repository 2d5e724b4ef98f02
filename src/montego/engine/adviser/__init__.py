"""Another program whose opinion of the moves joins the search."""
