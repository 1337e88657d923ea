"""The commands that Cypress has of its own, and those of plugins of which it is known what they do."""

from unknot.web.readers.syntax.words import words

KNOWN_COMMANDS = words(
    "and as blur check children clear clearAllCookies clearAllLocalStorage clearAllSessionStorage clearCookie",
    "clearCookies clearLocalStorage click clock closest contains dblclick debug document each end eq exec filter",
    "find first fixture focus focused get getAllCookies getAllLocalStorage getAllSessionStorage getCookie getCookies",
    "go hash hover intercept invoke its last location log mount next nextAll nextUntil not now on once off origin",
    "parent parents parentsUntil pause press prev prevAll prevUntil prompt readFile reload request rightclick root",
    "route screenshot scrollIntoView scrollTo select selectFile server session setCookie shadow should siblings spread",
    "spy state stub submit task then tick restore title trigger type uncheck url viewport visit wait whitelist window",
    "within wrap writeFile $$",
    # What stubs, spies, promises and jQuery's objects have, which begin with `cy`, too.
    "returns resolves rejects throws callsFake callThrough withArgs onCall onFirstCall catch finally text val attr",
    # Plugins: Testing Library, real events, accessibility, pictures, files, frames, waiting.
    "findByText findAllByText findByRole findAllByRole findByLabelText findAllByLabelText findByPlaceholderText",
    "findAllByPlaceholderText findByTestId findAllByTestId findByTitle findAllByTitle findByAltText findAllByAltText",
    "findByDisplayValue findAllByDisplayValue configureCypressTestingLibrary realClick realHover realPress realType",
    "realTouch realSwipe realMouseDown realMouseUp realMouseMove injectAxe checkA11y configureAxe percySnapshot",
    "matchImageSnapshot compareSnapshot matchImage eyesOpen eyesClose eyesCheckWindow toMatchSnapshot snapshot",
    "attachFile xpath iframe frameLoaded enter waitUntil drag move tab api allure recurse verifyDownload",
)
