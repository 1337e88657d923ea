"""What unknot itself costs on a large suite of tiny tests."""
