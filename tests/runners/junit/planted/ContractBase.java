package planted;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What several classes promise, a part of it in a class of its own. */
abstract class ContractBase {
    @Nested
    class Part {
        @Test
        void holds() {
            Trail.add(ContractBase.this.getClass().getSimpleName());
        }
    }
}
