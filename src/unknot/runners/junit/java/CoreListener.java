package unknot.junit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runner.notification.RunNotifier;

/** Turns what the JUnit 4 core says into what came of each test. */
final class CoreListener extends RunListener {
    private final List<Leaf> stretch;
    private final Map<Description, Leaf> wanted;
    private final ResultsWriter writer;
    /** A class that is one test. */
    private final List<Leaf> whole = new ArrayList<>();

    CoreListener(List<Leaf> stretch, Map<Description, Leaf> wanted, ResultsWriter writer) {
        this.stretch = stretch;
        this.wanted = wanted;
        this.writer = writer;
        wanted.forEach((description, leaf) -> {
            if (!description.isTest()) {
                whole.add(leaf);
                writer.started(leaf);
            }
        });
    }

    /** Without @Override: before 4.13 JUnit does not report classes, and a line waits for the next test. */
    public void testSuiteStarted(Description description) {
        writer.entered();
    }

    @Override
    public void testStarted(Description description) {
        Leaf leaf = wanted.get(description);
        if (leaf != null) {
            writer.started(leaf);
        }
    }

    @Override
    public void testFailure(Failure failure) {
        Leaf leaf = leafOf(failure.getDescription());
        if (leaf != null) {
            writer.failed(leaf, failure.getException());
        } else {
            writer.containerFailed(leavesBelow(failure.getDescription()), failure.getException());
        }
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
        Leaf leaf = leafOf(failure.getDescription());
        if (leaf != null) {
            writer.skipped(leaf, Story.of(failure.getException()));
        } else {
            writer.containerSkipped(leavesBelow(failure.getDescription()), Story.of(failure.getException()));
        }
    }

    @Override
    public void testIgnored(Description description) {
        Leaf leaf = leafOf(description);
        if (leaf == null) {
            writer.containerSkipped(leavesBelow(description), "ignored");
        } else if (whole.isEmpty()) {
            writer.skipped(leaf, "ignored");
            writer.finished(leaf);
        }
    }

    @Override
    public void testFinished(Description description) {
        Leaf leaf = wanted.get(description);
        if (leaf != null) {
            writer.finished(leaf);
        }
    }

    /** Runs its tests to the end. */
    void listenTo(Runner runner) {
        RunNotifier notifier = new RunNotifier();
        notifier.addListener(this);
        runner.run(notifier);
        for (Leaf leaf : whole) {
            writer.finished(leaf);
        }
        writer.settle();
    }

    private Leaf leafOf(Description description) {
        return whole.isEmpty() ? wanted.get(description) : whole.get(0);
    }

    /** In the order of the stretch. */
    private List<Leaf> leavesBelow(Description description) {
        Set<Leaf> below = new HashSet<>();
        collect(description, below);
        List<Leaf> sorted = new ArrayList<>(stretch);
        sorted.retainAll(below);
        return sorted;
    }

    private void collect(Description description, Set<Leaf> below) {
        Leaf leaf = wanted.get(description);
        if (leaf != null) {
            below.add(leaf);
        }
        for (Description child : description.getChildren()) {
            collect(child, below);
        }
    }
}
