"""Packages of others of which it is known that they type nothing beyond what is looked for anyway."""

import sys

from unknot.web.readers.interpreter.values import words

_PACKAGES = words(
    "playwright pytest_playwright selenium seleniumwire seleniumbase appium splinter selene helium pypom page_objects",
    "undetected_chromedriver webdriver_manager chromedriver_autoinstaller selenium_stealth playwright_stealth",
    "pytest pytest_bdd pytest_check pytest_html pytest_asyncio pytest_mock pytest_django behave robot unittest2 nose",
    "allure allure_pytest allure_commons hamcrest assertpy expects sure softest delayed_assert dirty_equals deepdiff",
    "axe_playwright_python axe_selenium_python axe_core_python percy applitools syrupy needle pixelmatch PIL cv2",
    "faker mimesis factory parameterized ddt hypothesis freezegun tenacity retry retrying polling polling2 waiting",
    "requests httpx aiohttp bs4 lxml numpy pandas openpyxl yaml dotenv environs pydantic attr attrs loguru structlog",
    "django flask sqlalchemy psycopg2 pymysql redis boto3 docker testcontainers pyotp termcolor rich six",
    "typing_extensions",
)


def is_known_package(name: str) -> bool:
    """
    >>> is_known_package("selenium"), is_known_package("json"), is_known_package("acme_pages")
    (True, True, False)
    """
    return name in _PACKAGES or name in sys.stdlib_module_names
