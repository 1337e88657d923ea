package planted;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FiveOutcomesTest {
    @AfterAll
    static void end() {
        throw new IllegalStateException("cannot be torn down");
    }

    @Test
    void assumes() {
        assumeTrue(false, "only on the moon");
    }

    @Disabled("later")
    @Test
    void disabled() {}

    @TestFactory
    Stream<DynamicTest> dynamicFails() {
        return Stream.of(dynamicTest("good", () -> {}), dynamicTest("bad", () -> fail("the second one")));
    }

    @Test
    void fails() {
        throw new IllegalArgumentException("outside", new RuntimeException("inside"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void parametersFail(int number) {
        assertTrue(number != 2, "not " + number);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void parametersSkipSome(int number) {
        assumeTrue(number == 2);
    }

    @RepeatedTest(3)
    void repeats() {}

    @Test
    void tearsDownBadly() {}
}
