"""Workers that are not pytest's own: a seat holds what tests run on, and answers orders, here or on another machine."""
