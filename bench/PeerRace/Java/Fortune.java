package slipstream.race;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

/** A row of the table fortune. */
record Fortune(int id, String message) {
    /** The number of rows of the table. */
    static final int COUNT = 12;

    private static final Comparator<Fortune> BY_MESSAGE = Comparator.comparing(Fortune::message);

    /** Adds a fortune to those of the table, and sorts them. */
    static void complete(List<Fortune> fortunes) {
        if (fortunes.size() != COUNT) {
            throw new IllegalStateException("wrong answer: " + fortunes.size() + " fortunes");
        }
        fortunes.add(new Fortune(0, "Additional fortune added at request time."));
        fortunes.sort(BY_MESSAGE);
    }

    /** FNV-1a of 32 bits, as the race computes it. */
    static String checksum(List<Fortune> fortunes) {
        int sum = (int) 2_166_136_261L;
        for (var fortune : fortunes) {
            for (byte one : (fortune.id + "\t" + fortune.message + "\n").getBytes(StandardCharsets.UTF_8)) {
                sum = (sum ^ (one & 0xFF)) * 16_777_619;
            }
        }
        return String.format("%08x", sum);
    }
}
