package slipstream.race;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.sql.SQLException;

/** A contestant of the race of ecosystems: JDBC. README.md describes the lines that it reads and answers. */
public final class Worker {
    private static Crew crew;

    private Worker() {
    }

    public static void main(String[] arguments) throws IOException, SQLException {
        try (var connection = Database.open()) {
            var data = connection.getMetaData();
            say("ready " + data.getDriverName() + " " + data.getDriverVersion() + ", Java " + Runtime.version().feature());
        }
        var input = new BufferedReader(new InputStreamReader(System.in));
        for (var line = input.readLine(); line != null; line = input.readLine()) {
            try {
                say(answer(line.split(" ")));
            } catch (Throwable exception) {
                say("failed " + exception.toString().replaceAll("\\s+", " "));
            }
        }
    }

    private static String answer(String[] words) throws Throwable {
        switch (words[0]) {
            case "open":
                crew = new Crew(words[1], Integer.parseInt(words[2]));
                return "ok";
            case "run":
                return crew.run(Integer.parseInt(words[1]));
            case "close":
                crew.close();
                return "ok";
            default:
                throw new IllegalArgumentException("there is no command '" + words[0] + "'");
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
