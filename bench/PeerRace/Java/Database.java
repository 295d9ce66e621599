package slipstream.race;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** The server that the environment names, through JDBC. */
final class Database {
    static final String WORLD_BY_ID = "SELECT id, randomnumber FROM world WHERE id = ?";
    static final String ALL_WORLDS = "SELECT id, randomnumber FROM world ORDER BY id";
    static final String UPDATE_WORLD = "UPDATE world SET randomnumber = ? WHERE id = ?";
    static final String FORTUNES = "SELECT id, message FROM fortune";

    private Database() {
    }

    static Connection open() throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", System.getenv("RACE_USER"));
        properties.setProperty("password", System.getenv("RACE_PASSWORD"));
        if (System.getenv("RACE_SERVER").equals("postgresql")) {
            properties.setProperty("sslmode", "disable");
            // The server prepares a statement at its first execution, not at its fifth.
            properties.setProperty("prepareThreshold", "1");
            return DriverManager.getConnection("jdbc:postgresql:" + address(), properties);
        }

        properties.setProperty("useSsl", "false");
        properties.setProperty("allowPublicKeyRetrieval", "true");
        // Otherwise the driver writes the parameters into the text of the statement.
        properties.setProperty("useServerPrepStmts", "true");
        return DriverManager.getConnection("jdbc:mariadb:" + address(), properties);
    }

    private static String address() {
        return "//" + System.getenv("RACE_HOST") + ":" + System.getenv("RACE_PORT") + "/" + System.getenv("RACE_DATABASE");
    }
}
