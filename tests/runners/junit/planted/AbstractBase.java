package planted;

import org.junit.Test;

/** Not a test by itself, but what its children have of it is. */
public abstract class AbstractBase {
    @Test
    public void inherited() {
        Trail.add("inherited");
    }
}
