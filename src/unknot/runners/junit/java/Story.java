package unknot.junit;

import java.io.PrintWriter;
import java.io.StringWriter;

/** A failure in words: the stack trace without the frames of JUnit and of reflection, cut to a bounded length. */
final class Story {
    private static final int HEAD = 3000;
    private static final int TAIL = 1000;
    private static final String[] NOISE = {
        "at org.junit.", "at app//org.junit.", "at junit.framework.", "at unknot.junit.", "at java.base/"
    };

    private Story() {}

    static String of(Throwable problem) {
        if (problem == null) {
            return "";
        }
        try {
            StringWriter text = new StringWriter();
            problem.printStackTrace(new PrintWriter(text, true));
            return bounded(quieter(text.toString()));
        } catch (Throwable unprintable) { // an exception of the suite's own may do anything when its text is read
            return problem.getClass().getName();
        }
    }

    /** Line ends as `\n`, a backslash as `\\`, a tab as `\t`; other control characters vanish. */
    static String onOneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        for (int place = 0; place < text.length(); place++) {
            char letter = text.charAt(place);
            if (letter == '\n') {
                line.append("\\n");
            } else if (letter == '\t') {
                line.append("\\t");
            } else if (letter == '\\') {
                line.append("\\\\");
            } else if (!isControl(letter)) {
                line.append(letter);
            }
        }
        return line.toString();
    }

    /** Also those that other programs take for the end of a line. */
    static boolean isControl(char letter) {
        return Character.isISOControl(letter) || letter == '\u2028' || letter == '\u2029';
    }

    private static String quieter(String trace) {
        StringBuilder kept = new StringBuilder();
        for (String line : trace.split("\r?\n")) {
            if (!isNoise(line.trim())) {
                kept.append(line).append('\n');
            }
        }
        return kept.toString().trim();
    }

    private static boolean isNoise(String line) {
        for (String beginning : NOISE) {
            if (line.startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }

    static String bounded(String text) {
        if (text.length() <= HEAD + TAIL) {
            return text;
        }
        return text.substring(0, HEAD) + "\n…\n" + text.substring(text.length() - TAIL);
    }
}
