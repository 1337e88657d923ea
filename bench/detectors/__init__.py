"""What every detector costs on the same graphs, without running a test."""
