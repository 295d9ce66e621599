package slipstream.race;

import java.util.concurrent.ThreadLocalRandom;

/** A row of the table world. */
record World(int id, int randomNumber) {
    /** The number of rows of the table. */
    static final int COUNT = 10_000;

    static int randomId() {
        return ThreadLocalRandom.current().nextInt(1, COUNT + 1);
    }
}
