"""What dependencies demand of any order, shard or selection."""
