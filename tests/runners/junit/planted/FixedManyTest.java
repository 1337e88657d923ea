package planted;

import java.util.Arrays;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.MethodSorters;
import org.junit.runners.Parameterized;

/** Neither sorted nor scheduled: only its own order goes in one. */
@RunWith(Parameterized.class)
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class FixedManyTest {
    @Parameterized.Parameters
    public static Iterable<Integer> parameters() {
        return Arrays.asList(10, 20);
    }

    private final int number;

    public FixedManyTest(int number) {
        this.number = number;
    }

    @Test
    public void p() {
        Trail.add("p" + number);
    }

    @Test
    public void q() {
        Trail.add("q" + number);
    }
}
