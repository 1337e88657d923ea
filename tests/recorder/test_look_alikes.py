"""What only looks like a flow is not reported as one."""

from planted_suites import Record, look_alikes

_MOST_REPORTED = 2


def test_at_most_two_look_alikes_are_reported(recorded: Record) -> None:
    project, recording = recorded("planted")
    whose = {test: look_alike.what for look_alike in look_alikes(project) for test in look_alike.tests}
    reported: dict[str, list[str]] = {}
    for flow in recording.flows:
        if flow.writer in whose and flow.reader in whose and not flow.harmless:
            text = f"{flow.kind.value} {flow.location.name}: {flow.writer} -> {flow.reader}"
            reported.setdefault(whose[flow.reader], []).append(text)
    lines = [f"{what}: {'; '.join(flows)}" for what, flows in reported.items()]
    assert len(reported) <= _MOST_REPORTED, "\n".join(lines)


def test_what_no_test_reads_is_reported_as_left_behind(recorded: Record) -> None:
    _, recording = recorded("planted")
    tests = {left.test for left in recording.left if left.location.name == "shop.constants.LAST_SHOWN"}
    home = "tests/test_harmless_values.py"
    assert tests == {f"{home}::test_never_read_first", f"{home}::test_never_read_second"}


def test_what_is_undone_is_not_reported_as_left_behind(recorded: Record) -> None:
    _, recording = recorded("planted")
    undone = ["shop.basket.CONFIG['web']['host']", "shop.mailer.new_key", "shop.mailer.Mailer.urgent"]
    undone += ["os.environ['SHOP_COLOUR']", "var/scratch.txt", "var/shop.db: table customers"]
    assert [left.location.name for left in recording.left if left.location.name in undone] == []
