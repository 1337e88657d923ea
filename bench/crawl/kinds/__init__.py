"""Which observations are of the same page: the abstractions against labels that a person gave screenshots."""
