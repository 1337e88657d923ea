package depot;

import java.util.HashMap;
import java.util.Map;

/** Who may use the depot, and what each owes; kept for as long as the program runs. */
public final class Accounts {
    private static final Map<String, Integer> OWED = new HashMap<>();

    private Accounts() {}

    public static void open(String who) {
        OWED.putIfAbsent(who, 0);
    }

    public static boolean isOpen(String who) {
        return OWED.containsKey(who);
    }

    public static int bill(String who, int amount) {
        if (!isOpen(who)) {
            throw new IllegalStateException(who + " has no account");
        }
        return OWED.merge(who, amount, Integer::sum);
    }
}
