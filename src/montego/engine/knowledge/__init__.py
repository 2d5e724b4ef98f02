"""What a search is told about Go: rules, priors, experience, and how they are tuned.

Start with :mod:`montego.engine.knowledge.definition`.
"""
