"""Packages of others of which it is known that they type nothing beyond what is looked for anyway."""

from unknot.web.readers.syntax.words import words

_PACKAGES = words(
    "playwright playwright-core cypress selenium-webdriver webdriverio puppeteer puppeteer-core testcafe nightwatch",
    "mocha chai jest vitest ava tape expect should sinon jest-dom uuid nanoid lodash underscore ramda moment dayjs",
    "date-fns luxon faker chance axios node-fetch got supertest superagent dotenv fs-extra glob yaml js-yaml csv-parse",
    "papaparse xlsx pg mysql mysql2 mongodb knex zod ajv typescript react react-dom vue axe-core axe-playwright",
    "cypress-axe playwright-lighthouse lighthouse pixelmatch pngjs looks-same chalk debug winston pino otpauth otplib",
    "chromedriver geckodriver jquery rxjs allure-js-commons allure-playwright allure-mocha monocart-reporter tslib",
)
_SCOPES = tuple(
    words(
        "@playwright/ @cypress/ @testing-library/ @faker-js/ @types/ @wdio/ @jest/ @axe-core/ @percy/ @applitools/",
        "@argos-ci/ @chromatic-com/ @badeball/ @cucumber/ @babel/ @shelex/ node:",
    )
)
_OF_NODE = words(
    "assert async_hooks buffer child_process cluster console constants crypto dgram dns domain events fs http http2",
    "https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder",
    "timers tls tty url util v8 vm worker_threads zlib",
)


def is_known_package(source: str) -> bool:
    """
    >>> is_known_package("@playwright/test"), is_known_package("fs/promises"), is_known_package("acme-pages")
    (True, True, False)
    """
    return source.startswith(_SCOPES) or source.partition("/")[0] in _PACKAGES | _OF_NODE
