package unknot.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Which classes are looked at, by globs of their names: `*` stands for anything within and across packages. */
final class Chosen {
    private final List<Pattern> include = new ArrayList<>();
    private final List<Pattern> exclude = new ArrayList<>();
    private final List<Pattern> nested = new ArrayList<>();

    /** A glob that begins with `!` leaves out. */
    Chosen(List<String> globs) {
        for (String glob : globs) {
            if (glob.startsWith("!")) {
                exclude.add(pattern(glob.substring(1)));
            } else {
                include.add(pattern(glob));
                if (glob.contains("$")) {
                    nested.add(pattern(glob));
                }
            }
        }
    }

    /** A class inside another is its own only if a glob with a `$` names it: JUnit finds it through the other. */
    boolean has(String name) {
        boolean isIncluded = name.contains("$") ? matches(nested, name) : include.isEmpty() || matches(include, name);
        return isIncluded && !matches(exclude, name);
    }

    private static boolean matches(List<Pattern> patterns, String name) {
        return patterns.stream().anyMatch(pattern -> pattern.matcher(name).matches());
    }

    private static Pattern pattern(String glob) {
        StringBuilder expression = new StringBuilder();
        for (char letter : glob.toCharArray()) {
            expression.append(letter == '*' ? ".*" : letter == '?' ? "." : Pattern.quote(String.valueOf(letter)));
        }
        return Pattern.compile(expression.toString());
    }
}
