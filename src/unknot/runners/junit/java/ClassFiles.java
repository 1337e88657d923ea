package unknot.junit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** The classes below some directories and in some jars, sorted by name: a file system has no order of its own. */
final class ClassFiles {
    private ClassFiles() {}

    /** Names of classes, each with the file that holds it. */
    static Map<String, String> below(String roots) throws IOException {
        Map<String, String> found = new TreeMap<>();
        for (String root : roots.split(File.pathSeparator)) {
            Path place = Path.of(root);
            if (Files.isDirectory(place)) {
                addDirectory(place, found);
            } else {
                addJar(place, found);
            }
        }
        return found;
    }

    private static void addDirectory(Path root, Map<String, String> found) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            files.forEach(file -> {
                StringBuilder name = new StringBuilder();
                root.relativize(file).forEach(part -> name.append(name.length() == 0 ? "" : "/").append(part));
                add(name.toString(), file.toString(), found);
            });
        }
    }

    private static void addJar(Path jar, Map<String, String> found) throws IOException {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            file.stream().forEach(entry -> add(entry.getName(), jar.toString(), found));
        }
    }

    private static void add(String name, String file, Map<String, String> found) {
        if (name.endsWith(".class") && !name.endsWith("-info.class") && !name.startsWith("META-INF/")) {
            String type = name.substring(0, name.length() - ".class".length()).replace('/', '.');
            found.putIfAbsent(type, file);
        }
    }
}
