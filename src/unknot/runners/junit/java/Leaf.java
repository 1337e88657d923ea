package unknot.junit;

import java.util.List;

/**
 * One test, as unknot names it. {@code path} are the containers around it, outermost first: what they set up is shared
 * by tests that run in them one after another. {@code key} is the engine's own name for it, or empty. {@code rank} is
 * its place in an order that cannot be changed, or -1 where it can.
 */
final class Leaf {
    final String id;
    final Engine engine;
    final Class<?> type;
    final List<String> path;
    final String key;
    final int rank;

    Leaf(String id, Engine engine, Class<?> type, List<String> path, String key, int rank) {
        this.id = id;
        this.engine = engine;
        this.type = type;
        this.path = List.copyOf(path);
        this.key = key;
        this.rank = rank;
    }
}
