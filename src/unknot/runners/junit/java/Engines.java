package unknot.junit;

import java.util.ArrayList;
import java.util.List;

/** The engines that are wanted and that were compiled: each needs its own jars. */
final class Engines {
    private Engines() {}

    /** The JUnit 4 core comes first: it also runs what a vintage engine would. */
    static List<Engine> named(String choice) throws ReflectiveOperationException {
        List<Engine> found = new ArrayList<>();
        if (!choice.equals("5")) {
            add(found, "unknot.junit.CoreEngine");
        }
        if (!choice.equals("4")) {
            add(found, "unknot.junit.PlatformEngine");
        }
        return found;
    }

    private static void add(List<Engine> found, String name) throws ReflectiveOperationException {
        Class<?> type;
        try {
            type = Class.forName(name);
        } catch (ClassNotFoundException absent) {
            return;
        }
        found.add((Engine) type.getDeclaredConstructor().newInstance());
    }
}
