"""Any suite that can be run from a shell."""
