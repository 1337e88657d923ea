package planted;

import junit.framework.TestCase;

public class ThreeTest extends TestCase {
    public static junit.framework.Test suite() {
        return new junit.framework.TestSuite(ThreeTest.class);
    }

    public void testOne() {
        Trail.add("one");
    }

    public void testTwo() {
        Trail.add("two");
    }
}
