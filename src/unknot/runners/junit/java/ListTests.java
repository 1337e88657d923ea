package unknot.junit;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Prints the tests of a suite, one a line, each with the file of its class. */
final class ListTests {
    private final List<Engine> engines;
    private final Chosen chosen;
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private volatile String current = "";

    ListTests(List<Engine> engines, Chosen chosen) {
        this.engines = engines;
        this.chosen = chosen;
    }

    /** The class that is looked at. */
    String current() {
        return current;
    }

    /** Says how many classes that look like tests could not be loaded: their tests would be missing. */
    int print(String roots) throws Exception {
        // Code of the suite runs while its parameters are listed, and may print.
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8.name());
        System.setOut(System.err);
        int unloadable = 0;
        for (Map.Entry<String, String> entry : ClassFiles.below(roots).entrySet()) {
            if (!chosen.has(entry.getKey())) {
                continue;
            }
            current = entry.getKey();
            try {
                Class<?> type = Class.forName(entry.getKey(), false, loader);
                Ids ids = new Ids();
                for (Engine engine : engines) {
                    if (engine.accepts(type)) {
                        engine.tests(type, ids).forEach(leaf -> out.print(
                                "test\t" + leaf.id + "\t" + entry.getValue() + "\n"));
                    }
                }
            } catch (ClassNotFoundException | LinkageError problem) {
                if (isNamedLikeATest(entry.getKey())) {
                    System.err.println("cannot load " + entry.getKey() + ": " + problem);
                    unloadable++;
                }
            }
        }
        out.flush();
        return unloadable;
    }

    private static boolean isNamedLikeATest(String name) {
        String simple = name.substring(name.lastIndexOf('.') + 1);
        return simple.startsWith("Test") || simple.matches(".*(Test|Tests|TestCase|IT)");
    }
}
