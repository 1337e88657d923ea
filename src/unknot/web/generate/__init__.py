"""Generators of web tests: functions of the protocol of applications, a navigation graph and a seed."""
