"""JavaScript and TypeScript tests on Playwright, Cypress and their like: what they submit and mention, from source."""
