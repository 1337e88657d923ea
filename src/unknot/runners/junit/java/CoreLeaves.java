package unknot.junit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.Ignore;
import org.junit.runner.Description;
import org.junit.runner.Runner;

/** The tests of a JUnit 4 class by description, in the order of its runner. */
final class CoreLeaves {
    final Map<Description, Leaf> leaves = new LinkedHashMap<>();
    /** Whether no two tests have the same description. */
    boolean isApart = true;

    private final Engine engine;
    private final Class<?> type;
    private final boolean isOldStyle;
    private final boolean isFixed;
    private final CoreNames names;

    CoreLeaves(Engine engine, Class<?> type, Runner runner, Ids ids) {
        this.engine = engine;
        this.type = type;
        this.isOldStyle = CoreOldStyle.isFor(type, runner);
        this.isFixed = !isOldStyle && CoreOrdering.of(runner) == CoreOrdering.NONE;
        this.names = new CoreNames(type, ids);
    }

    void collect(Description here, List<String> path) {
        if (here.isTest()) {
            // A class that is ignored has no methods; one that merely has none is no test.
            if (here.getMethodName() != null || here.getAnnotation(Ignore.class) != null) {
                int rank = isFixed ? leaves.size() : -1;
                String key = isOldStyle ? here.getMethodName() : "";
                isApart &= leaves.put(here, new Leaf(names.idOf(here), engine, type, path, key, rank)) == null;
            }
            return;
        }
        int number = 0;
        for (Description child : here.getChildren()) {
            List<String> deeper = new ArrayList<>(path);
            if (!child.isTest()) {
                deeper.add(Integer.toString(number));
            }
            collect(child, deeper);
            number++;
        }
    }
}
