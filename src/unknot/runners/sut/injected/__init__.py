"""What goes into the Python programs of an instance, through PYTHONPATH: nothing else is in this directory."""
