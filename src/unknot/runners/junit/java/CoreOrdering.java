package unknot.junit;

import org.junit.FixMethodOrder;
import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Sorter;
import org.junit.runners.ParentRunner;

/** How the order of a runner's tests can be changed. */
enum CoreOrdering {
    /** By when its children are carried out: also where {@code @FixMethodOrder} makes it refuse to be sorted. */
    SCHEDULED {
        @Override
        void apply(Runner runner, WantedTests tests) {
            ((ParentRunner<?>) runner).setScheduler(new InOrder(runner.getDescription().getChildren(), tests));
        }
    },
    SORTED {
        @Override
        void apply(Runner runner, WantedTests tests) {
            new Sorter(tests).apply(runner);
        }
    },
    /** Not at all. */
    NONE {
        @Override
        void apply(Runner runner, WantedTests tests) {}
    };

    abstract void apply(Runner runner, WantedTests tests);

    /** Runners of another kind than JUnit's own may take an order and keep to theirs all the same. */
    static CoreOrdering of(Runner runner) {
        Description all = runner.getDescription();
        if (!(runner instanceof ParentRunner)) {
            return NONE;
        }
        if (all.getChildren().stream().allMatch(Description::isTest)) {
            return SCHEDULED;
        }
        return all.getAnnotation(FixMethodOrder.class) == null ? SORTED : NONE;
    }
}
