package unknot.junit;

import java.util.HashSet;
import java.util.Set;

/** Gives each test of a class an id that no other has, whichever engine it is of. */
final class Ids {
    private static final int LONGEST = 1000;
    private final Set<String> given = new HashSet<>();

    /** `com.shop.CartTest#addsItem`; the class alone if the test has no name. Control characters vanish. */
    String give(String type, String name) {
        String wanted = name.isEmpty() ? type : type + "#" + printable(name);
        String id = wanted;
        for (int number = 2; !given.add(id); number++) {
            id = wanted + "~" + number;
        }
        return id;
    }

    private static String printable(String name) {
        StringBuilder kept = new StringBuilder();
        for (int place = 0; place < name.length() && kept.length() < LONGEST; place++) {
            char letter = name.charAt(place);
            kept.append(Story.isControl(letter) || Character.isSurrogate(letter) ? '?' : letter);
        }
        return kept.toString().trim();
    }
}
