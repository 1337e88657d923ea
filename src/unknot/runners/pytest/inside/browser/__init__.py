"""What runs inside the process under test to see its browsers: standard library and pytest only. Playwright and
Selenium are touched only if the suite itself imports them. Nothing here raises into the suite."""
