@test "an unknown verb is refused" {
    run bin/todo frobnicate
    [ "$status" -eq 2 ]
}

@test "the language can be German" {
    bin/todo language de
    bin/todo help | grep Aufruf
}

@test "the language can be taken back" {
    bin/todo language default
    bin/todo help | grep usage
}

@test "the version is shown" {
    [ "$(bin/todo version)" = "todo 1.0" ]
}
