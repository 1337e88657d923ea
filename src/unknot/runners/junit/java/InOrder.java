package unknot.junit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.runner.Description;
import org.junit.runners.model.RunnerScheduler;

/** Carries out a runner's children, which are scheduled in its own order, in the requested order. */
final class InOrder implements RunnerScheduler {
    private final List<Description> children;
    private final WantedTests tests;
    private final List<Runnable> scheduled = new ArrayList<>();

    InOrder(List<Description> children, WantedTests tests) {
        this.children = new ArrayList<>(children);
        this.tests = tests;
    }

    @Override
    public void schedule(Runnable child) {
        scheduled.add(child);
    }

    @Override
    public void finished() {
        List<Integer> order = new ArrayList<>();
        for (int number = 0; number < scheduled.size(); number++) {
            order.add(number);
        }
        order.sort(Comparator.comparing(children::get, tests));
        order.forEach(number -> scheduled.get(number).run());
    }
}
