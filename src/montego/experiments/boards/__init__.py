"""The ladder of boards: 000's five, from the naive one to liberties as numbers, in plain Python.

Begin with :mod:`.ladder`, where each board takes one step that makes a random game cheaper, on top
of what all share in :mod:`.grid`. :mod:`.move_sets` has two sets to draw a random move from,
:mod:`.iteration` the search that runs on any of the boards, and :mod:`.timing` the experiments that
measure them. Montego's own board is the step after the last.
"""
