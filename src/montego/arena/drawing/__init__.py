"""Charts as SVG text, for reports of tournaments, tuning and experiments.

Begin with :mod:`~montego.arena.drawing.plot`, which has the axes and the simple plots. Nothing here
knows what is plotted, or anything else of the arena.
"""
