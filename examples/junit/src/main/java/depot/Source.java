package depot;

/** A place that code is fetched from. */
public final class Source {
    public enum Kind { GIT, MERCURIAL }

    private String name;
    private String path;
    private Kind kind;

    public Source(String name, String path, Kind kind) {
        this.name = name;
        this.path = path;
        this.kind = kind;
    }

    public String name() {
        return name;
    }

    public String path() {
        return path;
    }

    public Kind kind() {
        return kind;
    }

    public void rename(String newName) {
        name = newName;
    }

    public void moveTo(String newPath) {
        path = newPath;
    }

    public void convertTo(Kind newKind) {
        kind = newKind;
    }

    @Override
    public String toString() {
        return kind + " " + name + " at " + path;
    }
}
