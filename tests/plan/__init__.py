"""Tests of the plans; a package so that they can share their cases."""
