package planted;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class FiveBrokenTest {
    @BeforeAll
    static void begin() {
        throw new IllegalStateException("cannot be set up");
    }

    @Test
    void one() {}

    @Test
    void two() {}
}
