package depot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JUnit 5. What is set up for the whole class is there for every test: it makes no dependency. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BillingTest {
    private static int bills;

    @BeforeAll
    static void startToCount() {
        bills = 0;
    }

    /** Needs AccountsTest, which opens the account. */
    @Test
    @Order(1)
    void billsFirstTransfer() {
        Accounts.bill("ada", 2);
        assertEquals(1, ++bills);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 1000})
    @Order(2)
    void asksForPrice(int megabytes) {
        assertTrue(Prices.of(megabytes) > 0);
    }

    @Nested
    class AtTheEndOfTheMonth {
        /** Needs the account, too. */
        @Test
        void billsTheFee() {
            assertTrue(Accounts.bill("ada", 1) > 0);
        }
    }
}
