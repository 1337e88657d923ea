package depot;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** Each set of parameters is a test of its own. */
@RunWith(Parameterized.class)
public class TransferTest {
    @Parameterized.Parameters(name = "{0} MB")
    public static List<Object[]> sizes() {
        return Arrays.asList(new Object[][] {{1, 2}, {50, 100}});
    }

    private final int megabytes;
    private final int price;

    public TransferTest(int megabytes, int price) {
        this.megabytes = megabytes;
        this.price = price;
    }

    /** A victim of the sale. */
    @Test
    public void costs() {
        assertEquals(price, Prices.of(megabytes));
    }
}
