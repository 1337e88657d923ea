package depot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Old revisions, as files in `var/archive` of the current directory. */
public final class Archive {
    private static final Path DIRECTORY = Path.of("var", "archive");

    private Archive() {}

    public static void store(String name, String text) throws IOException {
        Files.createDirectories(DIRECTORY);
        Files.writeString(DIRECTORY.resolve(name), text);
    }

    public static String load(String name) throws IOException {
        return Files.readString(DIRECTORY.resolve(name));
    }

    public static boolean isEmpty() {
        return !Files.exists(DIRECTORY);
    }
}
