package slipstream.race;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A blocking caller, with a connection and a prepared statement of its own. */
abstract class Caller implements AutoCloseable {
    private final Connection connection;
    final PreparedStatement statement;

    private Caller(String text) throws SQLException {
        connection = Database.open();
        statement = connection.prepareStatement(text);
    }

    static Caller open(String scenario) throws SQLException {
        return switch (scenario) {
            case "single" -> new Single();
            case "fortunes" -> new Fortunes();
            default -> throw new IllegalArgumentException("there is no scenario '" + scenario + "'");
        };
    }

    /** Runs one operation. */
    abstract void run() throws SQLException;

    /** What the last operation read. */
    abstract String check();

    @Override
    public void close() throws SQLException {
        statement.close();
        connection.close();
    }

    /** Reads a random row of the table world. */
    private static final class Single extends Caller {
        private World world;

        Single() throws SQLException {
            super(Database.WORLD_BY_ID);
        }

        @Override
        void run() throws SQLException {
            var id = World.randomId();
            statement.setInt(1, id);
            try (var rows = statement.executeQuery()) {
                if (!rows.next() || rows.getInt(1) != id) {
                    throw new IllegalStateException("wrong answer for row " + id);
                }
                world = new World(rows.getInt(1), rows.getInt(2));
            }
        }

        @Override
        String check() {
            return world.id() + ":" + world.randomNumber();
        }
    }

    /** Reads all fortunes, adds one, and sorts them. */
    private static final class Fortunes extends Caller {
        private List<Fortune> fortunes;

        Fortunes() throws SQLException {
            super(Database.FORTUNES);
        }

        @Override
        void run() throws SQLException {
            var read = new ArrayList<Fortune>(Fortune.COUNT + 1);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    read.add(new Fortune(rows.getInt(1), rows.getString(2)));
                }
            }
            Fortune.complete(read);
            fortunes = read;
        }

        @Override
        String check() {
            return Fortune.checksum(fortunes);
        }
    }
}
