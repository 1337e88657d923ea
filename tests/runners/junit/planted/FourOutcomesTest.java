package planted;

import static org.junit.Assert.fail;
import static org.junit.Assume.assumeTrue;

import java.io.PrintWriter;
import org.junit.AfterClass;
import org.junit.FixMethodOrder;
import org.junit.Ignore;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class FourOutcomesTest {
    @AfterClass
    public static void end() {
        throw new IllegalStateException("cannot be torn down");
    }

    @Test
    public void assumes() {
        assumeTrue("only on the moon", false);
    }

    @Test
    public void fails() {
        fail("tab\there, line\nthere, back\\slash, \u0007bell");
    }

    @Ignore("later")
    @Test
    public void ignored() {}

    @Test
    public void passes() {}

    @Test
    public void saysNothing() {
        throw new RuntimeException() {
            private static final long serialVersionUID = 1;

            @Override
            public void printStackTrace(PrintWriter writer) {
                throw new IllegalStateException();
            }
        };
    }

    @Test
    public void tearsDownBadly() {}
}
