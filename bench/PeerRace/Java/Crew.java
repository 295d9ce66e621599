package slipstream.race;

import java.sql.SQLException;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Callers on platform threads, which wait between two blocks. */
final class Crew {
    private final Caller[] callers;
    private final CyclicBarrier gate;
    private final AtomicLong operations = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean isOver;
    private volatile boolean isClosed;

    Crew(String scenario, int count) throws SQLException {
        callers = new Caller[count];
        gate = new CyclicBarrier(count + 1);
        for (var at = 0; at < count; at++) {
            callers[at] = Caller.open(scenario);
            callers[at].run();
        }
        for (var caller : callers) {
            var thread = new Thread(() -> work(caller));
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Runs a block. */
    String run(int milliseconds) throws Throwable {
        operations.set(0);
        failure.set(null);
        isOver = false;
        var start = System.nanoTime();
        gate.await();
        Thread.sleep(milliseconds);
        isOver = true;
        gate.await();
        var elapsed = System.nanoTime() - start;
        if (failure.get() != null) {
            throw failure.get();
        }
        return operations.get() + " " + elapsed / 1000 + " " + callers[0].check();
    }

    void close() throws Exception {
        isClosed = true;
        gate.await();
        for (var caller : callers) {
            caller.close();
        }
    }

    private void work(Caller caller) {
        try {
            while (true) {
                gate.await();
                if (isClosed) {
                    return;
                }
                try {
                    var count = 0L;
                    for (; !isOver; count++) {
                        caller.run();
                    }
                    operations.addAndGet(count);
                } catch (SQLException | RuntimeException exception) {
                    failure.set(exception);
                }
                gate.await();
            }
        } catch (InterruptedException | BrokenBarrierException exception) {
            // The process ends.
        }
    }
}
