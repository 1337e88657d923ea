package unknot.junit;

import java.util.List;

/** One way to run tests: the JUnit 4 core, or the engines of the JUnit platform. */
interface Engine {
    /** Whether this class may hold tests of this engine. Runs no code of the class. */
    boolean accepts(Class<?> type);

    /** Whether a stretch may reach from one class into another, so that what lives longer than a class is shared. */
    boolean joinsClasses();

    /** The tests of this class, in the order in which JUnit would run them, with ids that {@code ids} has given. */
    List<Leaf> tests(Class<?> type, Ids ids);

    /** Runs these, in this order, with one set-up for each container. */
    void run(List<Leaf> stretch, ResultsWriter writer);
}
