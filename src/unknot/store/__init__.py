"""What unknot keeps on disk: lock file, journal, recordings, fingerprints; and how JSON is read safely."""
