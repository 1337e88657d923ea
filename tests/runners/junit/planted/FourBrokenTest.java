package planted;

import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

public class FourBrokenTest {
    @BeforeClass
    public static void begin() {
        throw new IllegalStateException("cannot be set up");
    }

    @AfterClass
    public static void end() {
        throw new IllegalStateException("nothing to tear down");
    }

    @Test
    public void one() {}

    @Test
    public void two() {}
}
