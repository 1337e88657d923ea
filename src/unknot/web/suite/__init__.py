"""From walks through an application to a suite of tests: drafts, replays, checks, and what is written."""
