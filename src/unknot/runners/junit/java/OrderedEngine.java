package unknot.junit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;

/**
 * Another engine whose tests are brought into the requested order after it has found them. That is later than any
 * {@code @TestMethodOrder} or {@code @TestClassOrder}, so it holds whatever a class says; without a requested order,
 * what the class says holds.
 */
final class OrderedEngine implements TestEngine {
    private final TestEngine engine;
    private final Map<String, Integer> places;

    /** {@code places} may change between requests: unique ids of tests, and where each stands. */
    OrderedEngine(TestEngine engine, Map<String, Integer> places) {
        this.engine = engine;
        this.places = places;
    }

    @Override
    public String getId() {
        return "unknot-" + engine.getId();
    }

    @Override
    public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId uniqueId) {
        TestDescriptor root = engine.discover(request, uniqueId);
        if (!places.isEmpty()) {
            sort(root);
        }
        return root;
    }

    @Override
    public void execute(ExecutionRequest request) {
        engine.execute(request);
    }

    /** Returns where the first test below stands. */
    private int sort(TestDescriptor here) {
        int first = places.getOrDefault(here.getUniqueId().toString(), Integer.MAX_VALUE);
        List<Placed> children = new ArrayList<>();
        for (TestDescriptor child : here.getChildren()) {
            children.add(new Placed(child, sort(child)));
        }
        children.sort(Comparator.comparingInt(placed -> placed.place));
        for (Placed placed : children) {
            here.removeChild(placed.descriptor);
            here.addChild(placed.descriptor);
            first = Math.min(first, placed.place);
        }
        return first;
    }

    private static final class Placed {
        final TestDescriptor descriptor;
        final int place;

        Placed(TestDescriptor descriptor, int place) {
            this.descriptor = descriptor;
            this.place = place;
        }
    }
}
