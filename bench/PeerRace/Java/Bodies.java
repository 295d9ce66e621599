package slipstream.race;

import java.util.List;

/** The bodies of the pages, with the same bytes as those of the site in C#. */
final class Bodies {
    private static final String HEAD =
        "<!DOCTYPE html><html><head><title>Fortunes</title></head><body><table><tr><th>id</th><th>message</th></tr>";
    private static final String FOOT = "</table></body></html>";

    private Bodies() {
    }

    static String json(World world) {
        var text = new StringBuilder(40);
        append(text, world);
        return text.toString();
    }

    static String json(World[] worlds) {
        var text = new StringBuilder(40 * worlds.length).append('[');
        for (var at = 0; at < worlds.length; at++) {
            if (at > 0) {
                text.append(',');
            }
            append(text, worlds[at]);
        }
        return text.append(']').toString();
    }

    static String html(List<Fortune> fortunes) {
        Fortune.complete(fortunes);
        var text = new StringBuilder(4096).append(HEAD);
        for (var fortune : fortunes) {
            text.append("<tr><td>").append(fortune.id()).append("</td><td>");
            escape(text, fortune.message());
            text.append("</td></tr>");
        }
        return text.append(FOOT).toString();
    }

    private static void append(StringBuilder text, World world) {
        text.append("{\"id\":").append(world.id()).append(",\"randomNumber\":").append(world.randomNumber()).append('}');
    }

    private static void escape(StringBuilder text, String message) {
        for (var at = 0; at < message.length(); at++) {
            var one = message.charAt(at);
            switch (one) {
                case '<' -> text.append("&lt;");
                case '>' -> text.append("&gt;");
                case '&' -> text.append("&amp;");
                case '"' -> text.append("&quot;");
                case '\'' -> text.append("&#x27;");
                case '+' -> text.append("&#x2B;");
                default -> text.append(one);
            }
        }
    }
}
