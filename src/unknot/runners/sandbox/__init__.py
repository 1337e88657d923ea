"""Clean state on disk and no process left behind: working copies, snapshots, ports, locks, the reaper."""
