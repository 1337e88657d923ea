package planted;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Its stories are what the tests of the runner read. */
class TellTest {
    @Test
    void places() throws IOException {
        fail("temporary=" + Files.createTempFile("unknot", null) + " home=" + System.getProperty("user.home")
                + " here=" + Path.of("").toAbsolutePath() + " environment=" + System.getenv("TMPDIR")
                + " files=" + Files.list(Path.of(System.getProperty("java.io.tmpdir"))).count());
    }

    @Test
    void trail() {
        fail("<" + Trail.STEPS.toString().trim() + ">");
    }
}
