package planted;

/** What has happened in this VM, for tests to tell. */
final class Trail {
    static final StringBuilder STEPS = new StringBuilder();

    private Trail() {}

    static void add(String step) {
        STEPS.append(step).append(' ');
    }
}
