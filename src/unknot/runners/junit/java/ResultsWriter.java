package unknot.junit;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What came of each test: one line in a file of its own, written as soon as it is certain, so that a reader
 * sees after a crash how far the run came.
 *
 * <p>The last test's line waits until something else begins: a class that cannot be torn down is its last test's
 * affair, as it is in other frameworks.
 */
final class ResultsWriter {
    private final FileOutputStream file;
    private final Map<String, Account> accounts = new HashMap<>();
    private final Set<String> written = new HashSet<>();
    private Account waiting;

    ResultsWriter(FileOutputStream file) {
        this.file = file;
    }

    private static final class Account {
        final String id;
        final long began = System.nanoTime();
        long ended;
        String outcome = "";
        String story = "";

        Account(String id) {
            this.id = id;
        }

        /** What came first is what went wrong. */
        boolean isBad() {
            return outcome.equals("failed") || outcome.endsWith("-error");
        }

        /** A failure outweighs everything, and what has passed outweighs what was skipped. */
        void add(String next, String why) {
            boolean isWorse = next.equals("failed") || next.equals("passed") && !outcome.equals("failed");
            if (outcome.isEmpty() || isWorse && !outcome.equals(next)) {
                outcome = next;
                story = why;
            }
        }
    }

    synchronized void started(Leaf leaf) {
        settle();
        accounts.put(leaf.id, new Account(leaf.id));
    }

    synchronized void passed(Leaf leaf) {
        of(leaf).add("passed", "");
    }

    synchronized void failed(Leaf leaf, Throwable problem) {
        of(leaf).add("failed", Story.of(problem));
    }

    synchronized void skipped(Leaf leaf, String why) {
        of(leaf).add("skipped", why);
    }

    /** Nothing more will be said about this test, but for what its class does at the end. */
    synchronized void finished(Leaf leaf) {
        settle();
        waiting = of(leaf);
        waiting.ended = System.nanoTime();
        accounts.remove(leaf.id);
        written.add(leaf.id);
    }

    /** A container around these tests begins: what was run before is certain now. */
    synchronized void entered() {
        settle();
    }

    /** A container failed: before its tests if some of them have not run, after them otherwise. */
    synchronized void containerFailed(Collection<Leaf> leaves, Throwable problem) {
        List<Leaf> missing = missing(leaves);
        String story = Story.of(problem);
        for (Leaf leaf : missing) {
            close(leaf, "setup-error", story);
        }
        if (missing.isEmpty() && waiting != null && !waiting.isBad()) {
            waiting.outcome = "teardown-error";
            waiting.story = story;
        }
    }

    synchronized void containerSkipped(Collection<Leaf> leaves, String why) {
        for (Leaf leaf : missing(leaves)) {
            close(leaf, "skipped", why);
        }
    }

    /** The tests of a stretch that have no result yet. */
    synchronized List<Leaf> missing(Collection<Leaf> leaves) {
        List<Leaf> missing = new ArrayList<>();
        for (Leaf leaf : leaves) {
            if (!written.contains(leaf.id)) {
                missing.add(leaf);
            }
        }
        return missing;
    }

    /** Writes the line that waits. */
    synchronized void settle() {
        if (waiting == null) {
            return;
        }
        String outcome = waiting.outcome.isEmpty() ? "passed" : waiting.outcome;
        String seconds = seconds((waiting.ended - waiting.began) / 1000);
        String line = waiting.id + "\t" + outcome + "\t" + seconds + "\t" + Story.onOneLine(waiting.story) + "\t.\n";
        try {
            // A plain stream, one write: a channel would be closed by a test that interrupts its thread.
            file.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
        waiting = null;
    }

    private void close(Leaf leaf, String outcome, String story) {
        Account account = of(leaf);
        account.outcome = outcome;
        account.story = story;
        finished(leaf);
    }

    /** By hand: the first use of a formatter costs more than most tests. */
    private static String seconds(long micros) {
        String fraction = Long.toString(1_000_000 + micros % 1_000_000).substring(1);
        return micros / 1_000_000 + "." + fraction;
    }

    private Account of(Leaf leaf) {
        return accounts.computeIfAbsent(leaf.id, Account::new);
    }
}
