package planted;

import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** Refuses to be sorted. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class FourTest {
    @BeforeClass
    public static void begin() {
        Trail.add("4(");
    }

    @AfterClass
    public static void end() {
        Trail.add(")");
    }

    @Test
    public void a() {
        Trail.add("a");
    }

    @Test
    public void b() {
        Trail.add("b");
    }

    @Test
    public void c() {
        Trail.add("c");
    }
}
