package slipstream.race;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A pool with a fixed number of connections. Who finds none waits. */
final class ConnectionPool {
    private final BlockingQueue<Connection> idle;

    ConnectionPool(int size) throws SQLException {
        idle = new ArrayBlockingQueue<>(size);
        for (var at = 0; at < size; at++) {
            idle.add(Database.open());
        }
    }

    <T> T use(Work<T> work) throws SQLException, InterruptedException {
        var connection = idle.take();
        try {
            return work.run(connection);
        } finally {
            idle.add(connection);
        }
    }

    /** What is done with a connection. */
    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }
}
