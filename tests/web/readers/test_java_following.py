"""What Java tests say through the language and its libraries: values, calls, classes, parameters."""

import pytest
from web.readers.other_suites.suite_files import submitted, used, written

from unknot.model.candidates import StringUse
from unknot.web.readers.java.suite import declared_tests, string_uses


def use_of(body: str, members: str = "", **others: str) -> StringUse:
    """Of one test with this body, in a class with these members, beside other files of its package."""
    test = f"package shop;\nclass CartTest {{ WebElement field; {members}\n @Test void adds() {{ {body} }} }}"
    files, read = written({"CartTest.java": test, **{f"{name}.java": source for name, source in others.items()}})
    (use,) = string_uses(declared_tests(files, read), files, read).values()
    return use


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ('field.sendKeys("a");', {"a"}),
        ('field.sendKeys("a", Keys.ENTER, "b");', {"a", "b"}),
        ('field.sendKeys(Keys.chord(Keys.CONTROL, "x"));', set()),
        ("field.clear();", set()),
        ('new Actions(driver).moveToElement(field).sendKeys("a").perform();', {"a"}),
        ('new Select(field).selectByVisibleText("Blue"); new Select(field).selectByValue("b");', {"Blue", "b"}),
        ("new Select(field).selectByIndex(2);", {"2"}),
        ('((JavascriptExecutor) driver).executeScript("go", "a");', set()),
        ('field.sendKeys(new File("src/photo.png").getAbsolutePath());', {"src/photo.png", "photo.png"}),
        ('$("#name").setValue("a");', {"a"}),
        ('page.fill("#name", "a");', {"a"}),
    ],
)
def test_only_what_is_typed_selected_or_uploaded_is_submitted(body: str, values: set[str]) -> None:
    assert submitted(use_of(body)) == values


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ('String a = "x"; a += "y"; field.sendKeys(a);', "xy"),
        ("field.sendKeys(\"user\" + 1 + 'c');", "user1c"),
        ('field.sendKeys(String.format("%s-%03d", "a", 7));', "a-007"),
        ('field.sendKeys("%s!".formatted("a"));', "a!"),
        (
            'field.sendKeys(String.format("%-6s|%.2f|%,d", "ab", 1.5, 1234567));',
            "ab    |1.50|1,234,567",
        ),
        ('field.sendKeys(String.format("%2$s %1$5s %S %.1s %x%%", "a", "bc", 255));', "bc     a A b ff%"),
        ('field.sendKeys(String.format("%05d|%5.1f|%.0f", -7, 2.25, 0.5));', "-0007|  2.3|1"),
        ('field.sendKeys(1 + 2 + "a" + 1 + 2);', "3a12"),
        ('field.sendKeys("a" + (3 + 4));', "a7"),
        ('field.sendKeys(String.join("-", "a", "b"));', "a-b"),
        ('field.sendKeys(" A ".trim().toLowerCase().concat("b"));', "ab"),
        ('field.sendKeys("""\n    a\n      b""");', "a\n  b"),
        ('field.sendKeys("a\\tb\\u0041");', "a\tbA"),
        ('field.sendKeys(new StringBuilder("a").append("b").toString());', "ab"),
        ('String[] all = {"a", "b"}; field.sendKeys(all[1]);', "b"),
        ('Map<String, String> all = new HashMap<>(); all.put("k", "v"); field.sendKeys(all.get("k"));', "v"),
        ('for (String each : List.of("a")) { field.sendKeys(each + "b"); }', "ab"),
        ('Arrays.asList("a").forEach(each -> field.sendKeys(each));', "a"),
        ('Stream.of("a").map(String::trim).forEach(field::sendKeys);', "a"),
        ('var list = new ArrayList<String>(); list.add("a"); field.sendKeys(list.get(0));', "a"),
        ('Object cast = "a"; field.sendKeys((String) cast);', "a"),
        ('wait.until(driver -> { field.sendKeys("a"); return true; });', "a"),
        ('try { field.sendKeys("a"); return; } finally { driver.quit(); }', "a"),
        ('executor.run(new Runnable() { public void run() { field.sendKeys("a"); } });', "a"),
        ('switch (kind) { case 1: field.sendKeys("a"); break; default: }', "a"),
        ('field.sendKeys(switch (kind) { case 1 -> "a"; default -> "a"; });', "a"),
        ('try (Session s = open("x")) { s.go(); } catch (Exception e) { field.sendKeys("a"); }', "a"),
        ('throw new RuntimeException(field.sendKeys("a"));', "a"),
        (
            'field.sendKeys("abc".substring(1, 2) + "xay".replace("x", "").substring(1) + "-".repeat(2));',
            "by--",
        ),
        ('field.sendKeys("a,b".split(",")[1]);', "b"),
        ('String s = "a"; for (String t : all) { s = "a"; } field.sendKeys(s);', "a"),
        ('Map.of("k", "a").forEach((key, value) -> field.sendKeys(value));', "a"),
        ('for (var entry : Map.ofEntries(Map.entry("k", "a")).entrySet()) field.sendKeys(entry.getValue());', "a"),
        ('for (String value : Map.of("k", "a").values()) field.sendKeys(value);', "a"),
        ('for (String key : Map.of("a", 1).keySet()) field.sendKeys(key);', "a"),
        ('field.sendKeys(System.getProperty("name", "a"));', "a"),
        ('field.sendKeys(List.of("a").stream().filter(x -> x.isEmpty()).findFirst().orElse("a"));', "a"),
        ('String[] list = new String[1]; list[0] = "a"; field.sendKeys(list[0]);', "a"),
        ('class Local { void go() { field.sendKeys("a"); } } new Local().go();', "a"),
        ("Runnable r = CartTest.this::go; r.run();", "gone"),
        ('field.sendKeys(Stream.generate(() -> "a").limit(2).toList().get(0));', "a"),
    ],
)
def test_a_value_is_known_however_it_is_made(body: str, value: str) -> None:
    members = 'void go(Object... nothing) { field.sendKeys("gone"); }'

    assert submitted(use_of(body, members)) == {value}


@pytest.mark.parametrize(
    "text",
    [
        'String.format("%e", 1.5)',
        'String.format("%+d", 1)',
        'String.format("%d", "x")',
        'String.format("%999s", "a")',
        'String.format("%s %s", "a")',
        'String.format("%tY", "a")',
        'String.format("%.2f", "1e999")',
    ],
)
def test_a_format_that_is_not_known_gives_no_text(text: str) -> None:
    assert submitted(use_of(f"field.sendKeys({text});")) == set()


@pytest.mark.parametrize(
    ("loop", "values"),
    [
        ("for (int i = 0; i < 3; i++)", {"n0", "n1", "n2"}),
        ("for (int i = 1; i <= 2; ++i)", {"n1", "n2"}),
        ("for (int i = 4; i >= 0; i -= 2)", {"n4", "n2", "n0"}),
        ("for (int i = 0; i < names.length; i++)", {"n0", "n1"}),
        ("for (int i = 0; i < MOST; i += 1)", {"n0", "n1"}),
    ],
)
def test_each_round_of_a_loop_that_counts_has_its_number(loop: str, values: set[str]) -> None:
    members = 'static final int MOST = 2; String[] names = {"a", "b"}; void type(String n) { field.sendKeys(n); }'
    use = use_of(f'{loop} type("n" + i);', members)

    assert (submitted(use), use.gaps) == (values, ())


def test_a_comparison_of_known_texts_decides() -> None:
    body = """String a = "x"; if (a == "x") { field.sendKeys("same"); } else { field.sendKeys("other"); }
        field.sendKeys(a != "x" ? "no" : "yes");"""

    assert submitted(use_of(body)) == {"same", "yes"}


def test_pages_made_by_reflection_and_functions_handed_on_are_followed() -> None:
    use = use_of(
        'at(Page.class).type("a"); at(Page.class, page -> page.type("b"));',
        """<T> T at(Class<T> type) { return type.getDeclaredConstructor().newInstance(); }
        <T> void at(Class<T> type, Consumer<T> action) { action.accept(at(type)); }""",
        Page="package shop; class Page { WebElement f; void type(String t) { f.sendKeys(t); } }",
    )

    assert (submitted(use), use.gaps) == ({"a", "b"}, ())


def test_both_ways_of_a_branch_count() -> None:
    body = 'String a = big ? "x" : "y"; if (big) { a = "z"; } field.sendKeys(a);'

    assert submitted(use_of(body)) == {"x", "y", "z"}


def test_a_loop_that_counts_takes_every_item() -> None:
    body = 'String[] all = {"a", "b"}; for (int i = 0; i < all.length; i++) { field.sendKeys(all[i]); }'

    assert submitted(use_of(body)) == {"a", "b"}


def test_a_value_that_is_only_partly_known_is_used_and_not_submitted() -> None:
    use = use_of('field.sendKeys("user" + System.nanoTime());')

    assert submitted(use) == set()
    assert "user" in used(use)


def test_locators_and_assertions_are_used() -> None:
    use = use_of('assertEquals("Hello", driver.findElement(By.id("greeting")).getText());')

    assert used(use) == {"Hello", "greeting"}


def test_constants_come_from_classes_interfaces_and_static_imports() -> None:
    use = use_of(
        "field.sendKeys(Names.FIRST, LAST, Names.Inner.DEEP, Kind.BIG.label());",
        Names="""package shop;
            interface Names { String FIRST = "first"; class Inner { static String DEEP = FIRST + 2; } }""",
        Kind="""package shop;
            enum Kind { BIG("big"); final String s; Kind(String l) { s = l; } String label() { return s; } }""",
        members="static final String LAST = Names.FIRST.toUpperCase();",
    )

    assert submitted(use) == {"first", "FIRST", "first2", "big"}


def test_names_may_be_imported_in_every_way() -> None:
    test = """package shop; import static data.Names.*; import static data.Names.Inner.DEEP; import data.*;
        class CartTest { WebElement f; Kind kind = Kind.valueOf("B"); { f.sendKeys("made"); }
        @Test void adds() { f.sendKeys(A, DEEP, data.Names.C, twice("d"), kind.name(), Names.Inner.DEEP); } }"""
    names = """package data; public class Names { public static String A = "a", C = "c";
        public static String twice(String t) { return t + t; }
        public static class Inner { public static String DEEP = "deep"; } }"""
    files, read = written({"CartTest.java": test, "Names.java": names, "Kind.java": "package data; enum Kind { A, B }"})
    (use,) = string_uses(declared_tests(files, read), files, read).values()

    assert submitted(use) == {"made", "a", "deep", "c", "dd", "B"}


def test_a_constant_that_is_never_read_is_not_used() -> None:
    use = use_of("field.sendKeys(Names.A);", Names='package shop; class Names { static String A = "a", B = "b"; }')

    assert used(use) == {"a"}


def test_annotations_of_fields_are_used_when_the_field_is() -> None:
    page = """package shop; class Page {
        @FindBy(id = "name") WebElement name;
        @FindBy(css = ".other") WebElement other;
        Page(WebDriver driver) { PageFactory.initElements(driver, this); }
        Page type(String text) { name.sendKeys(text); return this; } }"""
    use = use_of('new Page(driver).type("a").type("b");', Page=page)

    assert submitted(use) == {"a", "b"}
    assert used(use) == {"a", "b", "name"}


def test_a_field_of_a_page_type_is_followed_even_if_it_is_never_assigned() -> None:
    use = use_of(
        'page.login("a");',
        "@Autowired Page page;",
        Page="package shop; class Page { WebElement name; void login(String t) { name.sendKeys(t); } }",
    )

    assert submitted(use) == {"a"}


def test_overridden_and_overloaded_methods_are_distinguished() -> None:
    base = """package shop; abstract class Base { WebElement f; abstract String name();
        void go() { go(name()); } void go(String a) { f.sendKeys(a); }
        void go(String a, String... more) { f.sendKeys(more); } }"""
    child = """package shop; class Child extends Base {
        String name() { return "child"; } void go(String a) { super.go(a + "!"); } }"""
    use = use_of('Base it = new Child(); it.go(); it.go("x", "y", "z");', Base=base, Child=child)

    assert submitted(use) == {"child!", "y", "z"}


def test_what_implements_an_interface_is_followed() -> None:
    use = use_of(
        "page.open();",
        "private Page page;",
        Page="package shop; interface Page { void open(); }",
        RealPage="""package shop;
            class RealPage implements Page { WebElement f; public void open() { f.sendKeys("a"); } }""",
    )

    assert submitted(use) == {"a"}


def test_lombok_s_methods_are_known() -> None:
    user = "package shop; @Data @Builder class User { String name; String mail; }"
    use = use_of(
        'User u = User.builder().name("n").mail("m").build(); field.sendKeys(u.getName(), u.getMail());', User=user
    )

    assert submitted(use) == {"n", "m"}
    assert use.is_known


@pytest.mark.parametrize(
    ("annotations", "data"),
    [
        ('@ParameterizedTest @ValueSource(strings = {"a", "b"})', ""),
        ('@ParameterizedTest @CsvSource({"a, 1", "b, 2"})', ""),
        (
            '@ParameterizedTest @MethodSource("rows")',
            'static Stream<Arguments> rows() { return Stream.of(Arguments.of("a", 1), arguments("b", 2)); }',
        ),
        ("@ParameterizedTest @MethodSource", 'static List<String> adds() { return List.of("a", "b"); }'),
        (
            '@Test(dataProvider = "rows")',
            '@DataProvider(name = "rows") Object[][] some() { return new Object[][] {{"a"}, {"b"}}; }',
        ),
    ],
)
def test_rows_of_a_parametrised_test(annotations: str, data: str) -> None:
    source = f"class CartTest {{ WebElement f; {data} {annotations} void adds(String name) {{ f.sendKeys(name); }} }}"
    files, read = written({"CartTest.java": source})
    (use,) = string_uses(declared_tests(files, read), files, read).values()

    assert submitted(use) == {"a", "b"}


def test_rows_of_an_enum() -> None:
    source = """class CartTest { WebElement f; enum Kind { A("x"), B("y"); String v; Kind(String v) { this.v = v; } }
        @ParameterizedTest @EnumSource(Kind.class) void adds(Kind kind) { f.sendKeys(kind.name() + kind.v); } }"""
    files, read = written({"CartTest.java": source})
    (use,) = string_uses(declared_tests(files, read), files, read).values()

    assert submitted(use) == {"Ax", "By"}


def test_rows_of_a_parametrised_class() -> None:
    source = """@RunWith(Parameterized.class) public class CartTest {
        @Parameters public static Collection<Object[]> data() { return Arrays.asList(new Object[][] {{"a"}, {"b"}}); }
        final String name; public CartTest(String name) { this.name = name; }
        @Test public void adds() { field.sendKeys(name); } }"""
    files, read = written({"CartTest.java": source})
    (use,) = string_uses(declared_tests(files, read), files, read).values()

    assert submitted(use) == {"a", "b"}


def test_what_runs_before_and_after_counts_superclasses_too() -> None:
    base = """package shop; class Base { static WebElement f; static void type(String t) { f.sendKeys(t); }
        @BeforeAll static void first() { type("base all"); } @BeforeEach void setUp() { type("base each"); } }"""
    test = """package shop; class CartTest extends Base { @BeforeEach void setUp() { super.setUp(); type("each"); }
        @AfterEach void end() { type("end"); }
        @Nested class Inner { @BeforeEach void more() { type("inner"); } @Test void adds() {} } }"""
    files, read = written({"Base.java": base, "CartTest.java": test})
    (inner,) = string_uses(declared_tests(files, read), files, read).values()

    assert submitted(inner) == {"base all", "base each", "each", "inner", "end"}


def test_the_texts_of_a_test_do_not_depend_on_the_tests_before_it() -> None:
    source = """class CartTest { static String name; WebElement f;
        @Test void first() { name = "a"; f.sendKeys(name); } @Test void second() { f.sendKeys(name); } }"""
    files, read = written({"CartTest.java": source})
    _, second = string_uses(declared_tests(files, read), files, read).values()

    assert submitted(second) == set()
