package unknot.junit;

import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code list ENGINE ROOTS [GLOB…]} prints the tests of a suite; {@code run ENGINE HOME TESTS RESULTS} runs those that
 * the file TESTS names, in its order, and writes what came of each to RESULTS.
 */
public final class Main {
    private static final int DONE = 0;
    private static final int BAD = 3;

    private Main() {}

    public static void main(String[] words) {
        int status = BAD;
        try {
            status = words[0].equals("list") ? list(words) : run(words);
        } catch (Throwable problem) { // whatever it is, the VM must end and say so
            System.err.println("the tests could not be " + (words[0].equals("list") ? "listed" : "run"));
            problem.printStackTrace();
        }
        System.out.flush();
        System.err.flush();
        // Not exit: threads and hooks that tests left behind must not keep the VM.
        Runtime.getRuntime().halt(status);
    }

    private static int list(String[] words) throws Exception {
        List<String> globs = new ArrayList<>(Arrays.asList(words).subList(3, words.length));
        ListTests tests = new ListTests(Engines.named(words[1]), new Chosen(globs));
        // Runs only if code of the suite ends the VM, for we halt it: what comes after that would be missing.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.err.println(tests.current() + " ended the VM while its tests were listed");
            Runtime.getRuntime().halt(BAD);
        }));
        int unloadable = tests.print(words[2]);
        return unloadable == 0 ? DONE : BAD;
    }

    private static int run(String[] words) throws Exception {
        PrivateHome.prepare(Path.of(words[2]));
        List<String> ids = Files.readAllLines(Path.of(words[3]), StandardCharsets.UTF_8);
        try (FileOutputStream results = new FileOutputStream(words[4], true)) {
            ResultsWriter writer = new ResultsWriter(results);
            String unrun = new RunTests(Engines.named(words[1]), writer).run(ids);
            writer.settle();
            if (!unrun.isEmpty()) {
                System.err.println("cannot run " + unrun + ": JUnit does not know it or said nothing about it");
                return BAD;
            }
            return DONE;
        }
    }
}
