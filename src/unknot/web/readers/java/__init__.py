"""Java tests on Selenium WebDriver, for JUnit 3, 4, 5 and TestNG: what they submit and mention, read from source."""
