package unknot.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The VM's own home and temporary directory, empty when an order begins. */
final class PrivateHome {
    private PrivateHome() {}

    static void prepare(Path directory) throws IOException {
        if (Files.exists(directory)) {
            List<Path> old;
            try (Stream<Path> files = Files.walk(directory)) {
                old = files.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
            }
            for (Path path : old) {
                Files.delete(path);
            }
        }
        Files.createDirectories(directory.resolve("tmp"));
        Files.createDirectories(directory.resolve("home"));
    }
}
