"""What tests leave changed in the state of the process."""
