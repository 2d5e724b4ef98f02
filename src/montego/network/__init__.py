"""Networks in files, and judging positions with them on a processor.

A network is an ONNX file that says what it is for (:mod:`montego.network.description`). It is read
by :class:`~montego.network.network.Network`, run by onnxruntime, and asked by a search through a
:class:`~montego.network.judge.Judge`. Training, which writes such files, is elsewhere.
"""
