"""What dependencies require of any order, shard or selection."""
