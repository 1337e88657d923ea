"""Whether the coverage of a parallel run is that of a plain one."""
