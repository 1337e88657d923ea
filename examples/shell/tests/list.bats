@test "help is in English" {
    run bin/todo help
    [ "$status" -eq 0 ]
    [ "${output%%:*}" = "usage" ]
}

@test "a list can be made" {
    bin/todo init
    [ -e var/list ]
}

@test "an item can be added" {
    bin/todo add milk
    bin/todo open | grep milk
}

@test "an item can be ticked off" {
    bin/todo tick milk
    grep -F "[x] milk" var/list
}

@test "what is done goes into the archive" {
    bin/todo archive
    grep milk var/archive
}

@test "a list of one's own is empty" {
    TODO_HOME=$BATS_TEST_TMPDIR bin/todo init
    [ -z "$(TODO_HOME=$BATS_TEST_TMPDIR bin/todo open)" ]
}
