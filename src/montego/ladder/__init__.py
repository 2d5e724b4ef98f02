"""How strong somebody is, by games against Montego's levels: ratings, a ladder, handicaps.

The results are kept in one file, to which the browser, the console and the arena add theirs.
"""
