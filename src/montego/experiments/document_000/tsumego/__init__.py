"""Problems of life and death (7.3 and 7.4): how they are solved, and why the hard one is not.

``problems`` are three of the document's grades, ``pool`` are more that were composed by
``compose``; each other module has the experiments of a question.
"""
