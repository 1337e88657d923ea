package planted;

import junit.framework.TestCase;
import org.junit.jupiter.api.Test;

/** Half moved from JUnit 3 to JUnit 5: each of them runs the first method. */
public class MixedTest extends TestCase {
    @Test
    public void testMoved() {
        Trail.add(getName() == null ? "five" : "three");
    }

    public void testOld() {
        Trail.add("old");
    }
}
