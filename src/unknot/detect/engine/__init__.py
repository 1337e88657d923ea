"""What every detector searches with: the session that runs orders, findings, subset searches, proofs, costs."""
