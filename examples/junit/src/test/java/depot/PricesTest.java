package depot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

@TestMethodOrder(MethodOrderer.MethodName.class)
class PricesTest {
    /** Leaves the sale on: the next test that expects the full price fails. */
    @Test
    void beginsSale() {
        Prices.beginSale();
        assertEquals(10, Prices.of(10));
    }

    @Test
    void endsSale() {
        Prices.endSale();
        assertEquals(20, Prices.of(10));
    }

    @Test
    void fullPrice() {
        assertEquals(20, Prices.of(10));
    }

    /** Counts from wherever the others have left it. */
    @Test
    void questionsAreCounted() {
        int before = Prices.questionsAsked();
        Prices.of(1);
        assertEquals(before + 1, Prices.questionsAsked());
        assertTrue(before >= 0);
    }
}
