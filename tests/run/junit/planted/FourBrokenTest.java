package planted;

import org.junit.BeforeClass;
import org.junit.Test;

public class FourBrokenTest {
    @BeforeClass
    public static void begin() {
        throw new IllegalStateException("cannot be set up");
    }

    @Test
    public void one() {}

    @Test
    public void two() {}
}
