"""The second run of a recording: lines of writers, and readers run alone."""
