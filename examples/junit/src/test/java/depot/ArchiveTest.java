package depot;

import java.io.IOException;
import junit.framework.TestCase;

/** In the style of JUnit 3; what these leave behind is a file. */
public class ArchiveTest extends TestCase {
    public void testArchiveIsNew() {
        assertTrue(Archive.isEmpty());
    }

    public void testStoreRevision() throws IOException {
        Archive.store("r1", "first");
        assertEquals("first", Archive.load("r1"));
    }

    public void testLoadRevision() throws IOException {
        assertEquals("first", Archive.load("r1"));
    }
}
