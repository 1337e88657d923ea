"""JUnit XML as the tools really write it; the documents are shortened, not tidied."""

import pytest

from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.runners.command.results.junit_xml import read_junit
from unknot.runners.command.results.reported import Reading

PASSED, FAILED, SKIPPED = Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED


def outcomes(reading: Reading) -> list[tuple[str, Outcome]]:
    assert reading.complete, reading.problem
    return [(found.test, found.outcome) for found in reading.tests]


def read(text: str, template: str = "{classname}.{name}") -> Reading:
    return read_junit(text.encode(), template)


def test_pytest() -> None:
    reading = read(
        """<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" tests="16">
        <properties><property name="a" value="b"/></properties>
        <testcase classname="t.test_p" name="test_ok" time="0.001" />
        <testcase classname="t.test_p" name="test_both" time="0.001"><failure message="assert 0">bad = None
&gt;  assert 0</failure></testcase><testcase classname="t.test_p" name="test_both" time="0.250"><error
        message="failed on teardown with &quot;down&quot;">E  RuntimeError: down</error></testcase>
        <testcase classname="t.test_p" name="test_up" time="0.001"><error message="failed on setup">x</error></testcase>
        <testcase classname="t.test_p" name="test_skip"><skipped type="pytest.skip" message="why">p.py:12: why</skipped>
        </testcase><testcase classname="t.test_p" name="test_skipdown"><skipped type="pytest.skip" message="x" />
        <error message="failed on teardown">down</error></testcase>
        <testcase classname="t.test_p" name="test_xf"><skipped type="pytest.xfail" message="r" /></testcase>
        <testcase classname="t.test_p" name="test_subtests"><failure message="one">1</failure><failure message="two">2
        </failure></testcase></testsuite></testsuites>"""
    )
    assert outcomes(reading) == [
        ("t.test_p.test_ok", PASSED),
        ("t.test_p.test_both", FAILED),
        ("t.test_p.test_up", FAILED),
        ("t.test_p.test_skip", SKIPPED),
        ("t.test_p.test_skipdown", FAILED),
        ("t.test_p.test_xf", Outcome.XFAILED),
        ("t.test_p.test_subtests", FAILED),
    ]
    both = reading.tests[1]
    assert both.seconds == pytest.approx(0.251)
    assert "assert 0" in both.story
    assert "failed on teardown" in both.story
    assert "RuntimeError: down" in both.story
    assert reading.tests[0].story == ""
    assert reading.tests[3].story == "p.py:12: why"


def test_a_rerun_reported_as_a_second_case_stays_a_second_case() -> None:
    """pytest-rerunfailures calls the try that failed a passed case of its own."""
    reading = read(
        '<testsuite><testcase classname="p" name="test_flaky"/><testcase classname="p" name="test_flaky"/></testsuite>'
    )
    assert outcomes(reading) == [("p.test_flaky", PASSED), ("p.test_flaky", PASSED)]


@pytest.mark.parametrize("pair", [("error", "failure"), ("failure", "failure"), ("error", "error")])
def test_only_a_failure_and_then_an_error_are_one_case(pair: tuple[str, str]) -> None:
    first, second = pair
    reading = read(
        f"<testsuite><testcase name='a'><{first}/></testcase><testcase name='a'><{second}/></testcase></testsuite>"
    )
    assert len(reading.tests) == 2


def test_maven_surefire() -> None:
    reading = read(
        """<?xml version="1.0" encoding="UTF-8"?>
        <testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="org.x.ATest" time="1,234.5">
          <testcase name="ok" classname="org.x.ATest" time="1,234.567"/>
          <testcase name="again" classname="org.x.ATest" time="0.1">
            <failure message="boom" type="java.lang.AssertionError"><![CDATA[at org.x.ATest.again]]></failure>
            <rerunFailure message="boom 2" type="T"><stackTrace>second</stackTrace></rerunFailure>
            <system-out>printed</system-out><system-err/>
          </testcase>
          <testcase name="flaky" classname="org.x.ATest" time="0,25">
            <flakyFailure message="first try" type="java.lang.AssertionError"><stackTrace>at</stackTrace></flakyFailure>
          </testcase>
          <testcase name="off" classname="org.x.ATest" time="0"><skipped message="not now"/></testcase>
        </testsuite>"""
    )
    assert outcomes(reading) == [
        ("org.x.ATest.ok", PASSED),
        ("org.x.ATest.again", FAILED),
        ("org.x.ATest.flaky", FAILED),
        ("org.x.ATest.off", SKIPPED),
    ]
    assert [found.seconds for found in reading.tests] == [1234.567, 0.1, 0.25, 0.0]
    assert reading.tests[1].story == (
        "boom\njava.lang.AssertionError\nat org.x.ATest.again\n--- system-out ---\nprinted"
    )
    assert "first try" in reading.tests[2].story


def test_gradle() -> None:
    reading = read(
        """<?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="x.ATest" tests="2" skipped="1" failures="1" errors="0" hostname="h" time="0.012">
          <properties/>
          <testcase name="adds()" classname="x.ATest" time="0.009"><failure message="m" type="T">m
            at x</failure></testcase>
          <testcase name="later()" classname="x.ATest" time="0.0"><skipped/></testcase>
          <system-out><![CDATA[of the whole suite]]></system-out><system-err><![CDATA[]]></system-err>
        </testsuite>"""
    )
    assert outcomes(reading) == [("x.ATest.adds()", FAILED), ("x.ATest.later()", SKIPPED)]
    assert "whole suite" not in reading.tests[0].story


def test_node() -> None:
    text = """<?xml version="1.0" encoding="utf-8"?>
<testsuites>
	<testcase name="top ok" time="0.001435" classname="test"/>
	<testcase name="todo one" time="0.000148" classname="test" failure="x">
		<skipped type="todo" message="true"/>
		<failure type="testCodeFailure" message="x">
Error [ERR_TEST_FAILURE]: x
		</failure>
	</testcase>
	<testcase name="todo ok" time="0.000151" classname="test">
		<skipped type="todo" message="later"/>
	</testcase>
	<testsuite name="outer" time="0.002416" disabled="0" errors="0" tests="3" failures="1" skipped="0" hostname="vm">
		<testcase name="in2" time="0.000139" classname="test" failure="boom">
			<failure type="testCodeFailure" message="boom">boom at &lt;anonymous></failure>
		</testcase>
		<testsuite name="deep" time="0.000497">
			<testcase name="in3" time="0.000263" classname="test"/>
		</testsuite>
	</testsuite>
	<!-- tests 8 -->
</testsuites>
"""
    assert outcomes(read(text, "{suite} > {name}")) == [
        ("top ok", PASSED),
        ("todo one", Outcome.XFAILED),
        ("todo ok", Outcome.XPASSED),
        ("outer > in2", FAILED),
        ("outer > deep > in3", PASSED),
    ]
    assert [found.test for found in read(text, "{name}").tests][-1] == "in3"


def test_jest_and_vitest_and_bats() -> None:
    jest = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="jest tests"><testsuite name="outer" errors="0"><testcase classname="outer ok" name="outer ok">
    </testcase><testcase classname="outer bad" name="outer bad" time="0.015"><failure>Error: no
    at Object</failure></testcase><testcase classname="outer sk" name="outer sk" time="0"><skipped/></testcase>
  </testsuite></testsuites>"""
    assert outcomes(read(jest, "{name}")) == [("outer ok", PASSED), ("outer bad", FAILED), ("outer sk", SKIPPED)]
    vitest = '<testsuite><testcase classname="v/a.mjs" name="outer &gt; ok" time="0.1"></testcase></testsuite>'
    assert outcomes(read(vitest, "{classname} > {name}")) == [("v/a.mjs > outer > ok", PASSED)]
    bats = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites time="0.026">
<testsuite name="x.bats" tests="4">
    <testcase classname="x.bats" name="two fails" time="0.007">
        <failure type="failure">(in test file b/x.bats, line 2)
  `@test &quot;two fails&quot; { false; }&#39; failed</failure>
    </testcase>
    <testcase classname="x.bats" name="three" time="0"><skipped>because #3</skipped></testcase>
    <testcase classname="x.bats" name="four \\ with # and &lt;&amp;&gt;" time="0.010" />
</testsuite></testsuites>"""
    reading = read(bats, "{name}")
    assert outcomes(reading) == [("two fails", FAILED), ("three", SKIPPED), ("four \\ with # and <&>", PASSED)]
    assert "in test file b/x.bats, line 2" in reading.tests[0].story
    assert reading.tests[1].story == "because #3"


def test_gotestsum_and_xmlrunner() -> None:
    go = """<testsuites tests="6"><testsuite tests="6" name="x"><properties><property name="go.version" value="go1.19"/>
    </properties><testcase classname="x" name="TestSub/two_x" time="0.0"><failure message="Failed" type="">=== RUN&#xA;
    </failure></testcase><testcase classname="x" name="TestSkip"><skipped message="=== RUN&#xA; why&#xA;"></skipped>
    </testcase></testsuite></testsuites>"""
    assert outcomes(read(go)) == [("x.TestSub/two_x", FAILED), ("x.TestSkip", SKIPPED)]
    unittest = """<testsuite name="test_x.T-2026" file="test_x.py"><testcase classname="test_x.T" name="test_xf"
    file="test_x.py" line="8"><skipped type="XFAIL" message="expected failure"/></testcase>
    <testcase classname="" name="setUpClass (test_x.S)"><error type="RuntimeError" message="class"/></testcase>
    <testcase classname="test_x.T" name="test_sub (i=1)" file="test_x.py"><failure message="1 == 1"/></testcase>
    </testsuite>"""
    assert outcomes(read(unittest, "{file}::{classname}.{name}")) == [
        ("test_x.py::test_x.T.test_xf", Outcome.XFAILED),
        ("setUpClass (test_x.S)", FAILED),
        ("test_x.py::test_x.T.test_sub (i=1)", FAILED),
    ]


def test_mariadb() -> None:
    text = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites disabled="0" errors="" failures="0" name="" tests="8" time="5.521">
	<testsuite disabled="" errors="" failures="" hostname="vm" id="0" name="heap" package="" skipped="" tests="2">
		<testcase assertions="" classname="main" name="1st" status="MTR_RES_PASSED" time="0.001" combinations="" />
		<testcase assertions="" classname="main" name="help" status="MTR_RES_PASSED" combinations="row,unix" />
		<testcase assertions="" classname="main" name="bad" status="MTR_RES_FAILED" time="0.2" combinations="">
			<failure message="" type="MTR_RES_FAILED">
<![CDATA[mysqltest: At line 3: query failed]]>
			</failure>
		</testcase>
		<testcase assertions="" classname="main" name="off" status="MTR_RES_SKIPPED" time="0.000" combinations="">
			<disabled message="MDEV-1" type="MTR_RES_SKIPPED"/>
		</testcase>
	</testsuite>
</testsuites>
"""
    reading = read(text, "{classname}.{name},{combinations}")
    assert outcomes(reading) == [
        ("main.1st", PASSED),
        ("main.help,row,unix", PASSED),
        ("main.bad", FAILED),
        ("main.off", SKIPPED),
    ]
    assert "query failed" in reading.tests[2].story
    assert reading.tests[3].story == "MDEV-1"


@pytest.mark.parametrize(
    ("status", "outcome"),
    [("run", PASSED), ("notrun", SKIPPED), ("disabled", SKIPPED), ("failed", FAILED), ("Error", FAILED), ("", PASSED)],
)
def test_a_status_decides_where_no_tag_does(status: str, outcome: Outcome) -> None:
    assert outcomes(read(f"<testsuite><testcase name='a' status='{status}'/></testsuite>")) == [("a", outcome)]


def test_other_encodings_a_byte_order_mark_and_an_empty_line_first() -> None:
    text = "<testsuite><testcase name='Zoë'/></testsuite>"
    for data in (
        b'<?xml version="1.0" encoding="iso-8859-1"?>' + text.encode("latin-1"),
        b'<?xml version="1.0" encoding="windows-1252"?>' + text.encode("cp1252"),
        text.encode("utf-16"),
        text.encode("utf-8-sig"),
        b'\n<?xml version="1.0"?>' + text.encode(),
    ):
        assert outcomes(read_junit(data, "{name}")) == [("Zoë", PASSED)]


def test_empty_parts_vanish_with_their_separator() -> None:
    cases = "<testcase name='n' classname='c' file='f'/><testcase name='n'/><testcase file='f' name='n'/>"
    text = f"<testsuite>{cases}</testsuite>"
    assert [found.test for found in read(text, "<{file}::{classname}.{name}>").tests] == ["<f::c.n>", "<n>", "<f.n>"]


@pytest.mark.parametrize("template", ["{clasname}.{name}", "name", "", "{}", "{name!r}"])
def test_a_template_that_nothing_can_fill_is_an_error_that_says_what_can_be(template: str) -> None:
    with pytest.raises(UsageError) as caught:
        read("<testsuite/>", template)
    assert f"`{template}`" in caught.value.message
    assert "{classname}" in caught.value.hint
