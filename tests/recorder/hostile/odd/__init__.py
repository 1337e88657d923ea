"""Objects, modules and sizes that a program which looks at all of memory may stumble over."""
