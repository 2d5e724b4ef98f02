"""What the analyze commands are asked, and what they print; the JSON protocol shares both.

``arguments`` reads what a program wants to be told, ``lines`` writes an analysis as text, and
``katago`` has the names that KataGo's programs use for rules and settings. Nothing here searches.
"""
