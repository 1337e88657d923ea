package depot;

import static org.junit.Assert.assertEquals;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** Tests that hand an object on in a static field: the first makes it, the others change it. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class SourceTest {
    private static Source source;

    @Test
    public void createSource() {
        source = new Source("trunk", "/srv/trunk", Source.Kind.GIT);
        assertEquals("trunk", source.name());
        assertEquals(Source.Kind.GIT, source.kind());
    }

    /** Expects the place that the first test gave: describing the source before moves it elsewhere. */
    @Test
    public void moveSource() {
        assertEquals("/srv/trunk", source.path());
        source.moveTo("/srv/attic");
        assertEquals("/srv/attic", source.path());
    }

    @Test
    public void printSource() {
        source.rename("stable");
        source.convertTo(Source.Kind.MERCURIAL);
        source.moveTo("/srv/stable");
        assertEquals("MERCURIAL stable at /srv/stable", source.toString());
    }
}
