package planted;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FiveTest {
    @BeforeAll
    static void begin() {
        Trail.add("5(");
    }

    @AfterAll
    static void end() {
        Trail.add(")");
    }

    @Test
    @Order(2)
    void a() {
        Trail.add("a");
    }

    @Test
    @Order(1)
    void b() {
        Trail.add("b");
    }

    @Test
    @Order(3)
    void same() {
        Trail.add("s");
    }

    @Test
    @Order(4)
    void same(TestInfo info) {
        Trail.add("i");
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class Inner {
        private int runs;

        @BeforeAll
        void begin() {
            Trail.add("in(");
        }

        @AfterAll
        void end() {
            Trail.add(")");
        }

        @Test
        void x() {
            Trail.add("x" + ++runs);
        }

        @Test
        void y() {
            Trail.add("y" + ++runs);
        }
    }
}
