package unknot.junit;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import junit.framework.TestCase;
import org.junit.Test;
import org.junit.runner.Description;
import org.junit.runner.Request;
import org.junit.runner.RunWith;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filterable;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runners.Suite;

/** JUnit 4 and JUnit 3 tests, with whatever runner their class names, by the JUnit 4 core. */
final class CoreEngine implements Engine {
    /** A runner is made to find out what a class holds; the first stretch uses that one. */
    private final Map<Class<?>, Runner> unused = new HashMap<>();

    @Override
    public boolean accepts(Class<?> type) {
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers()) || !isStandalone(type)) {
            return false;
        }
        RunWith runWith = type.getAnnotation(RunWith.class);
        if (runWith != null) {
            // A suite only names classes, and those are found by themselves.
            String runner = runWith.value().getName();
            return runWith.value() != Suite.class
                    && !runner.equals("org.junit.experimental.categories.Categories")
                    && !runner.equals("org.junit.platform.runner.JUnitPlatform");
        }
        return TestCase.class.isAssignableFrom(type) ? hasNamedTests(type) : hasAnnotatedTests(type);
    }

    @Override
    public boolean joinsClasses() {
        return false;
    }

    @Override
    public List<Leaf> tests(Class<?> type, Ids ids) {
        Runner runner = runnerOf(type);
        if (!CoreOldStyle.isFor(type, runner)) {
            unused.put(type, runner);
        }
        return new ArrayList<>(leaves(type, runner, ids).values());
    }

    @Override
    public void run(List<Leaf> stretch, ResultsWriter writer) {
        if (CoreOldStyle.isFor(stretch)) {
            new CoreOldStyle(stretch).run(writer);
            return;
        }
        Class<?> type = stretch.get(0).type;
        Runner runner = unused.remove(type);
        if (runner == null) {
            runner = runnerOf(type);
        }
        Map<String, Integer> places = new HashMap<>();
        for (Leaf leaf : stretch) {
            places.put(leaf.id, places.size());
        }
        Map<Description, Leaf> wanted = new LinkedHashMap<>();
        // The same ids again: no engine before this one is asked about a class.
        leaves(type, runner, new Ids()).forEach((description, leaf) -> {
            if (places.containsKey(leaf.id)) {
                wanted.put(description, stretch.get(places.get(leaf.id)));
            }
        });
        if (!isWhole(type, stretch)) {
            WantedTests tests = new WantedTests(wanted, places);
            try {
                tests.apply(runner);
            } catch (NoTestsRemainException nothing) {
                return;
            }
            CoreOrdering.of(runner).apply(runner, tests);
        }
        new CoreListener(stretch, wanted, writer).listenTo(runner);
    }

    private static Runner runnerOf(Class<?> type) {
        return Request.classWithoutSuiteMethod(type).getRunner();
    }

    /**
     * By description. A class is one test if its runner cannot run a part of it, or gives two tests the same
     * description.
     */
    private Map<Description, Leaf> leaves(Class<?> type, Runner runner, Ids ids) {
        CoreLeaves found = new CoreLeaves(this, type, runner, ids);
        found.collect(runner.getDescription(), List.of(type.getName()));
        if (found.isApart && (runner instanceof Filterable || runner.getDescription().isTest())) {
            return found.leaves;
        }
        Leaf whole = new Leaf(type.getName(), this, type, List.of(type.getName()), "", -1);
        return Map.of(runner.getDescription(), whole);
    }

    private static boolean isWhole(Class<?> type, List<Leaf> stretch) {
        return stretch.get(0).id.equals(type.getName());
    }

    private static boolean isStandalone(Class<?> type) {
        return !type.isAnonymousClass()
                && !type.isLocalClass()
                && (!type.isMemberClass() || Modifier.isStatic(type.getModifiers()));
    }

    private static boolean hasNamedTests(Class<?> type) {
        for (Method method : type.getMethods()) {
            if (method.getName().startsWith("test") && method.getParameterCount() == 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasAnnotatedTests(Class<?> type) {
        for (Class<?> level = type; level != null && level != Object.class; level = level.getSuperclass()) {
            for (Method method : level.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    return true;
                }
            }
        }
        return false;
    }
}
