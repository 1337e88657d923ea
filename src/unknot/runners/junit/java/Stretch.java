package unknot.junit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tests that can run in one go, in the requested order: no container is entered a second time after it was left, and
 * where a runner has an order of its own, that is kept. Otherwise the next stretch begins, and the class is set up
 * again.
 */
final class Stretch {
    final List<Leaf> leaves = new ArrayList<>();
    private final Set<List<String>> entered = new HashSet<>();

    /** Adds the test if that keeps the order possible; says whether it did. */
    boolean take(Leaf leaf) {
        if (!leaves.isEmpty() && !fits(leaf)) {
            return false;
        }
        for (int depth = 1; depth <= leaf.path.size(); depth++) {
            entered.add(leaf.path.subList(0, depth));
        }
        leaves.add(leaf);
        return true;
    }

    private boolean fits(Leaf leaf) {
        Leaf last = leaves.get(leaves.size() - 1);
        if (leaf.engine != last.engine || !leaf.path.get(0).equals(last.path.get(0))) {
            return false;
        }
        if (leaf.rank >= 0 && leaf.rank <= last.rank) {
            return false;
        }
        int common = 0;
        while (common < Math.min(leaf.path.size(), last.path.size())
                && leaf.path.get(common).equals(last.path.get(common))) {
            common++;
        }
        return common == leaf.path.size() || !entered.contains(leaf.path.subList(0, common + 1));
    }
}
