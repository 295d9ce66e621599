package slipstream.race;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Where the pages get their data. Both drivers keep the prepared statements of a connection by their texts. */
final class Store {
    /** The number of rows on a page with several. */
    static final int SEVERAL = 20;

    private final ConnectionPool pool;

    Store(ConnectionPool pool) {
        this.pool = pool;
    }

    World one() throws SQLException, InterruptedException {
        return pool.use(connection -> {
            try (var select = connection.prepareStatement(Database.WORLD_BY_ID)) {
                return read(select, World.randomId());
            }
        });
    }

    World[] several() throws SQLException, InterruptedException {
        return pool.use(connection -> {
            var rows = new World[SEVERAL];
            try (var select = connection.prepareStatement(Database.WORLD_BY_ID)) {
                for (var at = 0; at < rows.length; at++) {
                    rows[at] = read(select, World.randomId());
                }
            }
            return rows;
        });
    }

    World[] update() throws SQLException, InterruptedException {
        return pool.use(connection -> {
            var rows = new ArrayList<World>(SEVERAL);
            try (var select = connection.prepareStatement(Database.WORLD_BY_ID)) {
                for (var id : randomIds()) {
                    rows.add(new World(read(select, id).id(), World.randomId()));
                }
            }
            // One commit for all rows, not one for each.
            connection.setAutoCommit(false);
            try {
                write(connection, rows);
                connection.commit();
            } catch (SQLException exception) {
                connection.rollback();
                throw exception;
            } finally {
                connection.setAutoCommit(true);
            }
            return rows.toArray(World[]::new);
        });
    }

    List<Fortune> fortunes() throws SQLException, InterruptedException {
        return pool.use(connection -> {
            var fortunes = new ArrayList<Fortune>(Fortune.COUNT + 1);
            try (var select = connection.prepareStatement(Database.FORTUNES); var rows = select.executeQuery()) {
                while (rows.next()) {
                    fortunes.add(new Fortune(rows.getInt(1), rows.getString(2)));
                }
            }
            return fortunes;
        });
    }

    World[] all() throws SQLException, InterruptedException {
        return pool.use(connection -> {
            var all = new ArrayList<World>(World.COUNT);
            try (var select = connection.prepareStatement(Database.ALL_WORLDS); var rows = select.executeQuery()) {
                while (rows.next()) {
                    all.add(new World(rows.getInt(1), rows.getInt(2)));
                }
            }
            return all.toArray(World[]::new);
        });
    }

    private static World read(PreparedStatement select, int id) throws SQLException {
        select.setInt(1, id);
        try (var rows = select.executeQuery()) {
            rows.next();
            return new World(rows.getInt(1), rows.getInt(2));
        }
    }

    private static void write(Connection connection, List<World> rows) throws SQLException {
        try (var update = connection.prepareStatement(Database.UPDATE_WORLD)) {
            for (var row : rows) {
                update.setInt(1, row.randomNumber());
                update.setInt(2, row.id());
                update.addBatch();
            }
            update.executeBatch();
        }
    }

    // Ascending: two requests that update the same rows in another order would block each other.
    private static TreeSet<Integer> randomIds() {
        var ids = new TreeSet<Integer>();
        while (ids.size() < SEVERAL) {
            ids.add(World.randomId());
        }
        return ids;
    }
}
