package unknot.junit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * The tests of a class on the JUnit platform. A method is one test: the invocations of a parametrised, repeated or
 * dynamic test are known only when it runs. Methods of one name are distinguished by the types of their parameters.
 * A nested class that is inherited is named as if its heir had declared it: several may inherit the same one.
 */
final class PlatformTree {
    private final Engine engine;
    private final Class<?> type;
    private final TestPlan plan;
    private final Map<String, Integer> namesakes = new HashMap<>();
    private final List<TestIdentifier> tests = new ArrayList<>();
    private final List<List<String>> paths = new ArrayList<>();

    PlatformTree(Engine engine, Class<?> type, TestPlan plan) {
        this.engine = engine;
        this.type = type;
        this.plan = plan;
        for (TestIdentifier root : plan.getRoots()) {
            collect(root, List.of());
        }
    }

    List<Leaf> leaves(Ids ids) {
        List<Leaf> leaves = new ArrayList<>();
        for (int number = 0; number < tests.size(); number++) {
            TestIdentifier test = tests.get(number);
            String id = ids.give(ownerOf(test), nameOf(test));
            leaves.add(new Leaf(id, engine, type, paths.get(number), test.getUniqueId(), -1));
        }
        return leaves;
    }

    private void collect(TestIdentifier here, List<String> path) {
        if (here.isTest() || here.getSource().orElse(null) instanceof MethodSource) {
            namesakes.merge(ownerOf(here) + "#" + bareNameOf(here), 1, Integer::sum);
            tests.add(here);
            paths.add(path);
            return;
        }
        List<String> deeper = new ArrayList<>(path);
        deeper.add(here.getUniqueId());
        for (TestIdentifier child : plan.getChildren(here)) {
            collect(child, deeper);
        }
    }

    private String ownerOf(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        if (source instanceof MethodSource) {
            String owner = ((MethodSource) source).getClassName();
            TestIdentifier around = plan.getParent(test).orElse(null);
            return around != null && owner.equals(classNameOf(around)) ? nameOfNested(around) : owner;
        }
        return source instanceof ClassSource ? ((ClassSource) source).getClassName() : type.getName();
    }

    private String nameOfNested(TestIdentifier nested) {
        TestIdentifier around = plan.getParent(nested).orElse(null);
        if (around == null || classNameOf(around).isEmpty()) {
            return classNameOf(nested);
        }
        Class<?> itself = ((ClassSource) nested.getSource().orElseThrow()).getJavaClass();
        return nameOfNested(around) + "$" + itself.getSimpleName();
    }

    /** Empty if it is no class. */
    private static String classNameOf(TestIdentifier container) {
        TestSource source = container.getSource().orElse(null);
        return source instanceof ClassSource ? ((ClassSource) source).getClassName() : "";
    }

    private static String bareNameOf(TestIdentifier test) {
        TestSource source = test.getSource().orElse(null);
        return source instanceof MethodSource ? ((MethodSource) source).getMethodName() : test.getDisplayName();
    }

    private String nameOf(TestIdentifier test) {
        String name = bareNameOf(test);
        if (namesakes.get(ownerOf(test) + "#" + name) == 1) {
            return name;
        }
        TestSource source = test.getSource().orElse(null);
        return source instanceof MethodSource
                ? name + "(" + ((MethodSource) source).getMethodParameterTypes() + ")"
                : name;
    }
}
