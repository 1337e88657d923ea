"""Packages and classes of others of which it is known that they type nothing beyond what is looked for anyway."""

from unknot.web.readers.syntax.words import words

_PACKAGES = tuple(
    words(
        "java. javax. jakarta. kotlin. org.openqa.selenium. org.junit. junit. org.testng. com.microsoft.playwright.",
        "com.codeborne.selenide. io.appium. io.github.bonigarcia. org.hamcrest. org.assertj. com.google. org.slf4j.",
        "org.apache. ch.qos. io.qameta. com.aventstack. com.relevantcodes. com.applitools. io.percy. com.deque.",
        "com.github.javafaker. net.datafaker. com.fasterxml. com.github.romankh3. com.assertthat. ru.yandex.qatools.",
        "net.serenitybdd. net.thucydides.",
        "org.awaitility. lombok. org.mockito. io.restassured. okhttp3. org.json. com.paulhammant. org.springframework.",
        "io.cucumber. cucumber. org.skyscreamer. org.yaml. org.monte. com.automation.remarks. org.sikuli.",
    )
)

_CLASSES = words(
    "WebDriverWait FluentWait Wait Actions Select PageFactory AjaxElementLocatorFactory DefaultElementLocatorFactory",
    "DefaultFieldDecorator EventFiringWebDriver EventFiringDecorator Augmenter ByChained JavascriptExecutor",
    "TakesScreenshot ExpectedConditions By Keys Duration NgWebDriver AShot Eyes AxeBuilder AXE TouchActions Screenshot",
    "Assert Assertions SoftAssert SoftAssertions MatcherAssert WebDriverRunner Selenide FileUtils FileHandler Logger",
    "LoggerFactory LogManager Faker Allure Reporter Percy",
)

_OF_THE_LANGUAGE = words(
    "Object String StringBuilder StringBuffer Integer Long Short Byte Double Float Character Boolean Number Math",
    "StrictMath System Thread ThreadLocal Runnable Runtime Process ProcessBuilder Class ClassLoader Enum Record Void",
    "Iterable Comparable CharSequence AutoCloseable Cloneable Override Deprecated FunctionalInterface SafeVarargs",
    "SuppressWarnings StackTraceElement Package Module ThreadGroup InheritableThreadLocal",
)


def is_known_package(qualified: str) -> bool:
    """Whether a class of this name is one of theirs."""
    return qualified.startswith(_PACKAGES)


def is_known_class(simple: str) -> bool:
    """The same for a class that a file has by importing all of a package, or that every file has."""
    is_problem = simple.endswith(("Exception", "Error", "Throwable"))
    return simple in _CLASSES or is_of_the_language(simple) or is_problem or simple.endswith(("Driver", "Options"))


def is_of_the_language(simple: str) -> bool:
    """Of `java.lang`, which nobody imports."""
    return simple in _OF_THE_LANGUAGE or simple.endswith(("Exception", "Error", "Throwable"))
