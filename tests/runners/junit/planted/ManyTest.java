package planted;

import java.util.Arrays;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** The name of an invocation is another one in each VM. */
@RunWith(Parameterized.class)
public class ManyTest {
    @Parameterized.Parameters(name = "{0}")
    public static Iterable<Object> parameters() {
        System.out.println("test\tplanted.Ghost#printedWhileListing\tx");
        return Arrays.asList(new Object(), new Object());
    }

    public ManyTest(Object ignored) {}

    @BeforeClass
    public static void begin() {
        Trail.add("many(");
    }

    @AfterClass
    public static void end() {
        Trail.add(")");
    }

    @Test
    public void m() {
        Trail.add("m");
    }

    @Test
    public void n() {
        Trail.add("n");
    }
}
