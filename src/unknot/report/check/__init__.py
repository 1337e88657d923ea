"""What `unknot check` found, for people and for services."""
