package unknot.junit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import junit.framework.TestSuite;
import org.junit.internal.runners.JUnit38ClassRunner;
import org.junit.runner.Description;
import org.junit.runner.Runner;

/**
 * Tests of a JUnit 3 class. Its runner cannot be given an order, but a suite of just these tests has one; and a class
 * of a thousand methods is not made a thousand times over where an order goes back and forth.
 */
final class CoreOldStyle {
    private final List<Leaf> stretch;

    CoreOldStyle(List<Leaf> stretch) {
        this.stretch = stretch;
    }

    /** Not where JUnit has put a warning in the place of a test that it cannot make. */
    static boolean isFor(Class<?> type, Runner runner) {
        return runner instanceof JUnit38ClassRunner
                && runner.getDescription().getChildren().stream().allMatch(test -> test.getTestClass() == type);
    }

    /** Only these have keys. */
    static boolean isFor(List<Leaf> stretch) {
        return !stretch.get(0).key.isEmpty();
    }

    void run(ResultsWriter writer) {
        Class<?> type = stretch.get(0).type;
        TestSuite suite = new TestSuite(type.getName());
        Map<Description, Leaf> wanted = new LinkedHashMap<>();
        for (Leaf leaf : stretch) {
            suite.addTest(TestSuite.createTest(type, leaf.key));
            wanted.put(Description.createTestDescription(type, leaf.key), leaf);
        }
        new CoreListener(stretch, wanted, writer).listenTo(new JUnit38ClassRunner(suite));
    }
}
