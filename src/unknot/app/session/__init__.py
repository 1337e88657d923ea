"""A runner that has listed the suite, of whatever kind: what every verb that runs tests starts with."""
