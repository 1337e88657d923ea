package depot;

/** What a megabyte costs. A sale changes that for all tests until it ends. */
public final class Prices {
    private static int percent = 100;
    private static int questions;

    private Prices() {}

    public static int of(int megabytes) {
        questions++;
        return megabytes * 2 * percent / 100;
    }

    public static void beginSale() {
        percent = 50;
    }

    public static void endSale() {
        percent = 100;
    }

    public static int questionsAsked() {
        return questions;
    }
}
