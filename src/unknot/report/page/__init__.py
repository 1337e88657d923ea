"""The parts of the HTML report. What a script makes of them stands beside it, in `.js` files; the looks, in `.css`."""
