package planted;

import org.junit.runner.Description;
import org.junit.runner.RunWith;
import org.junit.runner.Runner;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunNotifier;

/** Its runner can only run all or nothing, and fails in the second of two. */
@RunWith(WholeTest.AllOrNothing.class)
public class WholeTest {
    public static class AllOrNothing extends Runner {
        private final Description[] tests = {
            Description.createTestDescription(WholeTest.class, "one"),
            Description.createTestDescription(WholeTest.class, "two"),
        };

        public AllOrNothing(Class<?> type) {}

        @Override
        public Description getDescription() {
            Description all = Description.createSuiteDescription(WholeTest.class);
            all.addChild(tests[0]);
            all.addChild(tests[1]);
            return all;
        }

        @Override
        public void run(RunNotifier notifier) {
            for (Description test : tests) {
                notifier.fireTestStarted(test);
                if (test == tests[1]) {
                    notifier.fireTestFailure(new Failure(test, new AssertionError("half of it")));
                }
                notifier.fireTestFinished(test);
            }
        }
    }
}
