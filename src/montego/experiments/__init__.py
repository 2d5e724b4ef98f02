"""The tables and figures of the documents, each repeated by one command.

An experiment is one value of :class:`~montego.experiments.experiment.Experiment` in a module of its
own; :mod:`montego.experiments.registry` names them all. ``docs/experiments.md`` shows how to run
them and how to write one.
"""
