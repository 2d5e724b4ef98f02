"""The tables and figures of the documents, each repeated by one command.

An experiment is one value of :class:`~montego.experiments.experiment.Experiment`; those made of
games are declared by :func:`~montego.experiments.win_rates.game_experiment`. Read in this order:
``figures`` (rows with intervals), ``verdict`` (checks of them), ``experiment``, ``games`` (players
and their games), ``win_rates``; then ``results``, ``workers``, ``runner`` and ``report``, which run
any experiment and tell what came out. The experiments themselves are in the rooms, one for each
document and one for the boards; :mod:`montego.experiments.registry` names them all.
``docs/experiments.md`` shows how to run them and how to write one.
"""
