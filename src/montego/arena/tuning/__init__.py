"""Finding good values for parameters of an engine by games.

Begin with :mod:`~montego.arena.tuning.tuning`, which says what is tuned and how a setting is tried.
Two methods choose the settings: :mod:`~montego.arena.tuning.bayesian` for a few parameters,
:mod:`~montego.arena.tuning.spsa` for many.
"""
