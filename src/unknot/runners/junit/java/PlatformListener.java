package unknot.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Turns what the platform says into what came of each test; what runs inside a method counts for the method. */
final class PlatformListener implements TestExecutionListener {
    private final Map<String, Leaf> wanted;
    private final ResultsWriter writer;
    private TestPlan plan;

    PlatformListener(Map<String, Leaf> wanted, ResultsWriter writer) {
        this.wanted = wanted;
        this.writer = writer;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public void executionStarted(TestIdentifier here) {
        Leaf leaf = wanted.get(here.getUniqueId());
        if (leaf != null) {
            writer.started(leaf);
        } else if (around(here) == null) {
            writer.entered();
        }
    }

    @Override
    public void executionSkipped(TestIdentifier here, String reason) {
        Leaf leaf = around(here);
        if (leaf == null) {
            writer.containerSkipped(below(here), reason);
            return;
        }
        writer.skipped(leaf, reason);
        if (isItself(leaf, here)) {
            writer.finished(leaf);
        }
    }

    @Override
    public void executionFinished(TestIdentifier here, TestExecutionResult result) {
        Leaf leaf = around(here);
        Throwable problem = result.getThrowable().orElse(null);
        if (leaf == null) {
            containerFinished(here, result.getStatus(), problem);
            return;
        }
        if (result.getStatus() == Status.FAILED) {
            writer.failed(leaf, problem);
        } else if (result.getStatus() == Status.ABORTED) {
            writer.skipped(leaf, Story.of(problem));
        } else if (here.isTest()) {
            writer.passed(leaf);
        }
        if (isItself(leaf, here)) {
            writer.finished(leaf);
        }
    }

    private void containerFinished(TestIdentifier here, Status status, Throwable problem) {
        if (status == Status.FAILED) {
            writer.containerFailed(below(here), problem);
        } else if (status == Status.ABORTED) {
            writer.containerSkipped(below(here), Story.of(problem));
        }
    }

    private static boolean isItself(Leaf leaf, TestIdentifier here) {
        return leaf.key.equals(here.getUniqueId());
    }

    /** The test that this is, or is a part of; null for what is around tests. */
    private Leaf around(TestIdentifier here) {
        Leaf leaf = wanted.get(here.getUniqueId());
        for (TestIdentifier at = here; leaf == null && at != null; at = plan.getParent(at).orElse(null)) {
            leaf = wanted.get(at.getUniqueId());
        }
        return leaf;
    }

    /** In the order of the stretch. */
    private List<Leaf> below(TestIdentifier container) {
        List<Leaf> below = new ArrayList<>();
        for (Leaf leaf : wanted.values()) {
            if (leaf.path.contains(container.getUniqueId())) {
                below.add(leaf);
            }
        }
        return below;
    }
}
