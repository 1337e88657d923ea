package planted;

public class ChildTest extends AbstractBase {}
