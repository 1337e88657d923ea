package unknot.junit;

import java.util.Comparator;
import java.util.Map;
import org.junit.runner.Description;
import org.junit.runner.manipulation.Filter;

/** Keeps the tests of a stretch and brings them, and what is around them, into its order. */
final class WantedTests extends Filter implements Comparator<Description> {
    private final Map<Description, Leaf> wanted;
    private final Map<String, Integer> places;

    WantedTests(Map<Description, Leaf> wanted, Map<String, Integer> places) {
        this.wanted = wanted;
        this.places = places;
    }

    @Override
    public boolean shouldRun(Description description) {
        return placeOf(description) < Integer.MAX_VALUE;
    }

    @Override
    public int compare(Description one, Description other) {
        return Integer.compare(placeOf(one), placeOf(other));
    }

    @Override
    public String describe() {
        return "the tests of an order";
    }

    private int placeOf(Description description) {
        Leaf leaf = wanted.get(description);
        if (leaf != null) {
            return places.get(leaf.id);
        }
        int first = Integer.MAX_VALUE;
        for (Description child : description.getChildren()) {
            first = Math.min(first, placeOf(child));
        }
        return first;
    }
}
