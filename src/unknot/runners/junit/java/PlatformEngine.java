package unknot.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Jupiter, and whatever other engine of the JUnit platform is on the class path, by the platform's launcher. */
final class PlatformEngine implements Engine {
    /** The JUnit 4 core runs what vintage would; a suite only names classes that are found by themselves. */
    private static final Set<String> LEFT_OUT = Set.of("junit-vintage", "junit-platform-suite");

    private final Map<String, Integer> places = new HashMap<>();
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private Launcher launcher;

    /** Made when first needed: it takes a good part of the VM's start. */
    private Launcher launcher() {
        if (launcher == null) {
            launcher = newLauncher();
        }
        return launcher;
    }

    private Launcher newLauncher() {
        List<TestEngine> engines = new ArrayList<>();
        for (TestEngine engine : ServiceLoader.load(TestEngine.class)) {
            if (!LEFT_OUT.contains(engine.getId())) {
                engines.add(new OrderedEngine(engine, places));
            }
        }
        LauncherConfig config = LauncherConfig.builder()
                .enableTestEngineAutoRegistration(false)
                .addTestEngines(engines.toArray(new TestEngine[0]))
                .build();
        // Never closed: what lives as long as the session ends with the VM.
        return LauncherFactory.openSession(config).getLauncher();
    }

    @Override
    public boolean accepts(Class<?> type) {
        return !type.isInterface() && !type.isAnonymousClass() && !type.isLocalClass();
    }

    @Override
    public boolean joinsClasses() {
        return true;
    }

    @Override
    public List<Leaf> tests(Class<?> type, Ids ids) {
        places.clear();
        return new PlatformTree(this, type, discover(List.of(selectClass(type)))).leaves(ids);
    }

    @Override
    public void run(List<Leaf> stretch, ResultsWriter writer) {
        List<DiscoverySelector> selectors = new ArrayList<>();
        Map<String, Leaf> wanted = new LinkedHashMap<>();
        places.clear();
        for (Leaf leaf : stretch) {
            selectors.add(selectUniqueId(leaf.key));
            places.put(leaf.key, places.size());
            wanted.put(leaf.key, leaf);
        }
        launcher().execute(discover(selectors), new PlatformListener(wanted, writer));
        writer.settle();
    }

    /**
     * JUnit finds engines, settings and classes through the thread's class loader. A test may have left another one
     * there, and other tests shall see that; but they must be found first, as they are where JUnit runs them all.
     */
    private TestPlan discover(List<? extends DiscoverySelector> selectors) {
        Thread thread = Thread.currentThread();
        ClassLoader left = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return launcher().discover(request(selectors));
        } finally {
            thread.setContextClassLoader(left);
        }
    }

    private static LauncherDiscoveryRequest request(List<? extends DiscoverySelector> selectors) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                // Two tests at once have no order.
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build();
    }
}
