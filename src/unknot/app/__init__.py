"""What each verb does, without a command line and without a terminal: options in, values out."""
