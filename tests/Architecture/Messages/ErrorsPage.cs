using System.Globalization;
using System.Text;
using Slipstream.Core.Errors;

namespace Slipstream.Architecture.Messages;

/// <summary>Writes docs/errors.md from the catalogue, the sources and the drivers' tables.</summary>
internal static class ErrorsPage
{
    public static string Write()
    {
        var page = new StringBuilder(Introduction);
        foreach (var chapter in Catalogue.Chapters)
            page.Append(CultureInfo.InvariantCulture, $"- [{chapter.Title}](#{Anchor(chapter.Title)})\n");
        page.Append($"- [{MySqlTitle}](#{Anchor(MySqlTitle)})\n- [{PgTitle}](#{Anchor(PgTitle)})\n");
        var uses = ThrownMessages.All.ToLookup(message => message.Key);
        foreach (var chapter in Catalogue.Chapters)
        {
            page.Append(CultureInfo.InvariantCulture, $"\n## {chapter.Title}\n");
            if (chapter.Introduction.Length > 0)
                page.Append(CultureInfo.InvariantCulture, $"\n{chapter.Introduction}\n");
            foreach (var entry in chapter.Entries)
                Write(page, entry, uses);
        }

        page.Append($"\n## {MySqlTitle}\n\n{ServerIntroduction}");
        var numbers = Numbers.Select(code => (Code: code, Error: ExceptionFacts.MySql(new ServerError(code, "HY000", "")))).ToList();
        ErrorKindAdvice.Write(page, numbers.Select(number => number.Error.Kind));
        page.Append("| Number | Name | `Kind` | `IsTransient` |\n|---|---|---|---|\n");
        foreach (var (code, error) in numbers)
            page.Append(CultureInfo.InvariantCulture, $"| {code} | {NameOf(error)} | {error.Kind} | {(error.IsTransient ? "yes" : "no")} |\n");

        page.Append($"\n## {PgTitle}\n\n{ServerIntroduction}");
        var states = ServerErrors.States
            .Select(state => (State: state, Error: ExceptionFacts.Pg(new ServerError(0, state.Replace("…", "XXX", StringComparison.Ordinal), "")))).ToList();
        ErrorKindAdvice.Write(page, states.Select(state => state.Error.Kind));
        page.Append("`xx…` stands for all states that begin so. 08P01 with the severity FATAL is `ConnectionLost`, and transient: PgBouncer closes "
            + "connections with it. Only its `unsupported startup parameter` is not transient.\n\n| `SqlState` | `Kind` | `IsTransient` |\n|---|---|---|\n");
        foreach (var (state, error) in states)
            page.Append(CultureInfo.InvariantCulture, $"| {state} | {error.Kind} | {(error.IsTransient ? "yes" : "no")} |\n");

        return page.ToString();
    }

    /// <summary>The error numbers of MySQL and MariaDB that have a row.</summary>
    public static IEnumerable<int> Numbers => Enum.GetValues<Slipstream.MySql.MySqlErrorCode>().Where(code => code > 0).Select(code => (int)code)
        .Concat(ServerErrors.NumbersWithoutName).Distinct().Order()
        .Where(code => ExceptionFacts.MySql(new ServerError(code, "HY000", "")) is { Kind: not ErrorKind.Other } or { IsTransient: true });

    private static string NameOf(Slipstream.MySql.MySqlException error) => Enum.IsDefined(error.ErrorCode) ? error.ErrorCode.ToString() : "";

    private const string MySqlTitle = "Error numbers of MySQL and MariaDB";

    private const string PgTitle = "SQLSTATEs of PostgreSQL";

    private const string ServerIntroduction =
        "The server reports these errors: number, SQLSTATE and text are its own, and its manual explains them. The table says how the driver classifies them; "
        + "an error that is not in it has the kind `Other` and is not transient. "
        + "`RetrySafety` is `NotApplicable`: the server has answered.\n\n";

    private const string Introduction = """
        # Error messages

        All messages that the drivers can produce, with cause and advice. A test writes this page from [messages](messages) and the sources, and fails when a
        message is missing.

        Words in braces stand for the parts that vary. The exception after a message is the one that has it; a text without an exception is a part of other
        messages. The driver replaces control characters in a server's texts before they become part of a message.

        - `IsTransient`: the same work may succeed if you repeat it, in a new transaction or on a new connection.
        - `RetrySafety`: whether you can repeat the operation without doing its work twice. `NotSent`: it did not run. `RolledBack`: its whole
          transaction was rolled back. `Unknown`: it was sent, and its answer never came. `NotApplicable`: the server answered with an error. See
          [Transactions](transactions.md#retries).
        - `Kind`: the kind of error, with the same names for every database.


        """;

    private static void Write(StringBuilder page, Entry entry, ILookup<string, Thrown> uses)
    {
        page.Append(CultureInfo.InvariantCulture, $"\n### <a id=\"{entry.Id}\"></a>{entry.Title}\n\n");
        var lines = entry.Messages.Select(message => (Message: message, Facts: FactsOf(entry, uses[Thrown.KeyOf(message)]))).ToList();
        var common = lines.Count > 1 && lines.Select(line => line.Facts).Distinct().Count() == 1 ? lines[0].Facts : "";
        foreach (var (message, facts) in lines)
        {
            page.Append(CultureInfo.InvariantCulture, $"- {Code(message)}");
            page.Append(facts.Length > 0 && common.Length == 0 ? $"<br>{facts}\n" : "\n");
        }

        page.Append('\n');
        if (common.Length > 0)
            page.Append(CultureInfo.InvariantCulture, $"**Thrown as** {common}.\n\n");
        page.Append(CultureInfo.InvariantCulture, $"**Cause.** {entry.Cause}\n\n**What to do.** {entry.Advice}\n");
    }

    private static string Code(string message) => message.Contains('`') ? $"`` {message} ``" : $"`{message}`";

    private static string FactsOf(Entry entry, IEnumerable<Thrown> uses)
    {
        var facts = uses.Where(use => use.Exception is not null)
            .SelectMany(
                use => (use.Reason.Length == 0 ? "None" : use.Reason).Split(" or "),
                (use, reason) => ExceptionFacts.Of(use.Place, use.Exception!, reason, use.Safety))
                .Distinct()
                .ToList();
        if (facts.Count == 0 && entry.Thrown.Length > 0)
            facts =
                [
                    .. entry.Thrown.Split(", ")
                        .Select(one => one.Split(' '))
                        .Select(one => ExceptionFacts.Of(uses.First().Place, one[0], one.Length > 1 ? one[1] : "None", one.Length > 2 ? one[2] : null))
                ];
        return string.Join("; or ", facts.Order(StringComparer.Ordinal));
    }

    private static string Anchor(string title) =>
        new([.. title.ToLowerInvariant().Where(c => char.IsLetterOrDigit(c) || c is ' ' or '-').Select(c => c == ' ' ? '-' : c)]);
}
