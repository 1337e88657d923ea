package unknot.junit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs an explicit list of tests in the order given. Classes are looked into when their turn comes, not before. */
final class RunTests {
    private final List<Engine> engines;
    private final ResultsWriter writer;
    private final Map<Engine, Map<Class<?>, Map<String, Leaf>>> known = new HashMap<>();
    private final Map<Class<?>, Ids> given = new HashMap<>();

    RunTests(List<Engine> engines, ResultsWriter writer) {
        this.engines = engines;
        this.writer = writer;
    }

    /** Says which test could not be run; empty if all have run. */
    String run(List<String> ids) {
        int at = 0;
        while (at < ids.size()) {
            Stretch stretch = new Stretch();
            Leaf first = find(ids.get(at));
            if (first == null) {
                return ids.get(at);
            }
            Leaf next = first;
            while (next != null && stretch.take(next)) {
                at++;
                next = at < ids.size() && mayFollow(first, ids.get(at)) ? find(ids.get(at)) : null;
            }
            first.engine.run(stretch.leaves, writer);
            List<Leaf> missing = writer.missing(stretch.leaves);
            if (!missing.isEmpty()) {
                return missing.get(0).id;
            }
        }
        return "";
    }

    /** Whether it is worth a look: to look into a JUnit 4 class may run code of it. */
    private boolean mayFollow(Leaf first, String id) {
        if (topOf(ownerOf(id)).equals(topOf(first.type.getName()))) {
            return true;
        }
        Class<?> type = load(ownerOf(id));
        return first.engine.joinsClasses() && type != null && engineOf(type) == first.engine;
    }

    private Engine engineOf(Class<?> type) {
        for (Engine engine : engines) {
            if (engine.accepts(type)) {
                return engine;
            }
        }
        return null;
    }

    /**
     * In its class, or in one around that: some runners know inner classes only from outside, and one that is inherited
     * does not exist under the name that it has here.
     */
    private Leaf find(String id) {
        for (String name = ownerOf(id); !name.isEmpty(); name = around(name)) {
            Class<?> type = load(name);
            for (Engine engine : engines) {
                Leaf leaf = type == null ? null : leavesOf(engine, type).get(id);
                if (leaf != null) {
                    return leaf;
                }
            }
        }
        return null;
    }

    /** An engine gets only what those before it do not know: to start one takes time. */
    private Map<String, Leaf> leavesOf(Engine engine, Class<?> type) {
        Map<Class<?>, Map<String, Leaf>> ofEngine = known.computeIfAbsent(engine, unknown -> new HashMap<>());
        if (!ofEngine.containsKey(type)) {
            Map<String, Leaf> leaves = new HashMap<>();
            if (engine.accepts(type)) {
                Ids ids = given.computeIfAbsent(type, unknown -> new Ids());
                engine.tests(type, ids).forEach(leaf -> leaves.put(leaf.id, leaf));
            }
            ofEngine.put(type, leaves);
        }
        return ofEngine.get(type);
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, RunTests.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError problem) {
            System.err.println("cannot load " + name + ": " + problem);
            return null;
        }
    }

    private static String ownerOf(String id) {
        int end = id.indexOf('#');
        return end < 0 ? id : id.substring(0, end);
    }

    /** The name of the class around this one; empty if it is in none. */
    private static String around(String name) {
        int end = name.lastIndexOf('$');
        return end <= name.lastIndexOf('.') + 1 ? "" : name.substring(0, end);
    }

    private static String topOf(String name) {
        int end = name.indexOf('$', name.lastIndexOf('.') + 2);
        return end < 0 ? name : name.substring(0, end);
    }
}
