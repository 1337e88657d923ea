package planted;

import org.junit.runner.RunWith;
import org.junit.runners.Suite;

/** Only names others. */
@RunWith(Suite.class)
@Suite.SuiteClasses({ChildTest.class, ThreeTest.class})
public class AllTests {}
