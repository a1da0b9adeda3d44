"""The wire formats, one file each: adding a file adds a format.

A format's file is named as the format is and holds `FORMAT`, an instance of a subclass
of `toolroute.transcript._wire.Wire`, whose docstrings say what to write. Files that
begin with an underscore are parts of a format.
"""
