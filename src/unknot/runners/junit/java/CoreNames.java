package unknot.junit;

import java.util.HashMap;
import java.util.Map;
import org.junit.runner.Description;

/**
 * Ids of JUnit 4 tests. The invocations of a parametrised test are numbered from 0 in their own order: what stands in
 * the brackets may be an object's address, another one in each VM.
 */
final class CoreNames {
    private final Class<?> type;
    private final Ids ids;
    private final Map<String, Integer> invocations = new HashMap<>();

    CoreNames(Class<?> type, Ids ids) {
        this.type = type;
        this.ids = ids;
    }

    String idOf(Description description) {
        String owner = ownerOf(description).getName();
        String name = description.getMethodName() == null ? "" : description.getMethodName();
        int bracket = name.indexOf('[');
        if (bracket <= 0) {
            return ids.give(owner, name);
        }
        String method = name.substring(0, bracket).trim();
        int number = invocations.merge(owner + "#" + method, 1, Integer::sum) - 1;
        return ids.give(owner, method + "[" + number + "]");
    }

    /** The class itself, or one inside it: a runner may invent others. */
    private Class<?> ownerOf(Description description) {
        Class<?> named = description.getTestClass();
        for (Class<?> around = named; around != null; around = around.getEnclosingClass()) {
            if (around == type) {
                return named;
            }
        }
        return type;
    }
}
