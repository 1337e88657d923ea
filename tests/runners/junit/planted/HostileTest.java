package planted;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Locale;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What a test can do to the VM that it shares with us. */
@TestMethodOrder(MethodOrderer.MethodName.class)
class HostileTest {
    @Test
    void closesOutput() {
        System.out.close();
        System.err.close();
    }

    @Test
    void exits() {
        System.exit(0);
    }

    @Test
    void interruptsItself() {
        Thread.currentThread().interrupt();
    }

    @Test
    void leavesLoader() {
        Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0], null));
    }

    @Test
    void leavesThread() {
        new Thread(() -> {
            while (true) {
                Thread.yield();
                Thread.interrupted();
            }
        }).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            while (true) {
                Thread.onSpinWait();
            }
        }));
    }

    @Test
    void overflows() {
        overflows();
    }

    @Test
    void speaksArabic() {
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        System.setProperty("line.separator", "\t");
    }
}
