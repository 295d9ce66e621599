using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Data;
using Slipstream.Core.Options;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Architecture.Messages;

/// <summary>
/// Rules for the texts that users read in exceptions, logs and options, as far as a program can check them (CONTRIBUTING.md, "Reviewing text").
/// </summary>
public partial class TextsForUsers
{
    // Short texts are parts of others: a sentence has at least this many words.
    private const int FewestWordsOfASentence = 4;

    // Names that stand before '=' in a message and are not options of a connection string.
    private static readonly string[] NoOptions = ["Name"];

    private static readonly OptionTable[] Tables =
    [
        Table(typeof(MySqlConnection), "Slipstream.MySql.Options.MySqlOptions"), Table(typeof(PgConnection), "Slipstream.PostgreSql.Options.PgOptions"),
    ];

    private static readonly HashSet<string> OptionNames = [.. Tables.SelectMany(static table => table.Options).Select(static option => option.Name)];

    private static readonly HashSet<string> PublicProperties =
    [
        .. typeof(MySqlConnection).Assembly.GetExportedTypes().Concat(typeof(PgConnection).Assembly.GetExportedTypes())
            .Concat(typeof(ProviderCommand).Assembly.GetExportedTypes())
            .SelectMany(static type => type.GetProperties()).Select(static property => property.Name),
    ];

    private static IEnumerable<(string Place, string Text)> Catalogued => Catalogue.Entries.SelectMany(
        static entry => entry.Messages.Append(entry.Title).Append(entry.Cause).Append(entry.Advice),
        static (entry, text) => ($"{Catalogue.Folder}/{entry.File}, '{entry.Title}'", text));

    private static IEnumerable<(string Place, string Text)> OfOptions => Tables.SelectMany(static table => table.Options).SelectMany(static option =>
        Refusals(option).Prepend(option.Doc), static (option, text) => ($"option '{option.Name}'", text));

    private static IEnumerable<(string Place, string Text)> Logged => typeof(ProviderCommand).Assembly
        .GetType("Slipstream.Core.Diagnostics.Log", throwOnError: true)!
        .GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)
        .Select(static method => method.GetCustomAttribute<LoggerMessageAttribute>()).OfType<LoggerMessageAttribute>()
        .Select(static message => ($"log message {message.EventId}", message.Message));

    [Fact]
    public void No_text_has_a_word_that_CONTRIBUTING_rules_out() => Report.Empty(
        Catalogued.Concat(OfOptions).Concat(Logged).Where(static one => FindMark(one.Text) is not null)
            .Select(static one => $"{one.Place}: '{FindMark(one.Text)}' in: {one.Text}"));

    [Fact]
    public void An_option_is_written_as_it_is_declared() => Report.Empty(
        Catalogued.Concat(OfOptions).Concat(Logged).SelectMany(static one => WrongOptions(one.Text), static (one, name) =>
            $"{one.Place}: '{name}' is not the name of an option: {one.Text}"));

    [Fact]
    public void What_a_message_tells_the_user_to_set_exists() => Report.Empty(
        Catalogued.Concat(OfOptions).Concat(Logged).SelectMany(static one => Unknown(one.Text), static (one, name) =>
            $"{one.Place}: '{name}' is neither an option nor a public property: {one.Text}"));

    [Fact]
    public void A_sentence_ends_with_a_full_stop() => Report.Empty(
        Catalogue.Entries.SelectMany(static entry => entry.Messages.Append(entry.Cause).Append(entry.Advice), static (entry, text) => (entry, text))
            .Where(static one => IsUnfinished(one.text)).Select(static one => $"{Catalogue.Folder}/{one.entry.File}, '{one.entry.Title}': {one.text}"));

    [Fact]
    public void A_number_has_its_unit() => Report.Empty(
        Catalogue.Entries.SelectMany(static entry => entry.Messages, static (entry, text) => (entry, text)).SelectMany(
            static one => WithoutUnit(one.text),
            static (one, hole) => $"{Catalogue.Folder}/{one.entry.File}, '{one.entry.Title}': {hole} has no unit: {one.text}")
            .Concat(Logged.SelectMany(static one => WithoutUnit(one.Text), static (one, hole) => $"{one.Place}: {hole} has no unit: {one.Text}")));

    [Fact]
    public void The_text_of_an_option_is_a_sentence() => Report.Empty(
        Tables.SelectMany(static table => table.Options)
            .SelectMany(static option => Faults(option), static (option, fault) => $"option '{option.Name}' {fault}"));

    [Fact]
    public void A_log_message_names_its_subject_and_has_no_full_stop() => Report.Empty(
        Logged.Where(static one => !(char.IsAsciiLetterUpper(one.Text[0]) || one.Text[0] == '{') || one.Text.EndsWith('.'))
            .Select(static one => $"{one.Place}: {one.Text}"));

    // The checks themselves: each of these texts must fail.
    [Theory]
    [InlineData("waits for nobody")]
    [InlineData("No command can run in it any more.")]
    [InlineData("What the caller is told: it is gone.")]
    [InlineData("It is no name.")]
    [InlineData("Whoever closes it must wait.")]
    public void A_mark_is_found(string text) => Assert.NotNull(FindMark(text));

    [Theory]
    [InlineData("There is no column 1, and the connection is no longer open.")]
    [InlineData("The message says which step failed.")]
    public void Plain_words_are_not_marks(string text) => Assert.Null(FindMark(text));

    [Fact]
    public void A_wrong_name_is_found()
    {
        Assert.Equal(["SslMode"], WrongOptions("use SslMode=VerifyCA or VerifyFull, or Allow User Variables=true; local_infile=ON"));
        Assert.Equal(["Wire"], Unknown("Set CommandText, set SSL CA to the file, SET NAMES utf8mb4, or set Wire to MultiRow."));
    }

    [Fact]
    public void A_number_without_a_unit_is_found()
    {
        Assert.Equal(["{seconds}", "{length}"], WithoutUnit("within {seconds}, one of {length}, not {length} bytes, 0x{length} or {seconds} s"));
        Assert.True(IsUnfinished("The connection was lost: do not use it again"));
        Assert.False(IsUnfinished("its transaction could not be rolled back"));
    }

    private static OptionTable Table(Type connection, string declarations) => (OptionTable)connection.Assembly.GetType(declarations, throwOnError: true)!
        .GetField(nameof(Table), BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)!.GetValue(null)!;

    private static string? FindMark(string text) => Mark().Match(Hole().Replace(text, "")) is { Success: true } mark ? mark.Value : null;

    private static IEnumerable<string> WrongOptions(string text) => Assignment().Matches(text).Select(static match => match.Groups[1].Value)
        .Where(static words => !NoOptions.Contains(words) && !Endings(words).Any(OptionNames.Contains));

    private static IEnumerable<string> Unknown(string text) => Advised().Matches(text).Select(static match => match.Groups[1].Value)
        .Where(static words => !Beginnings(words).Any(static name => OptionNames.Contains(name) || PublicProperties.Contains(name)));

    // "Use SSL Mode": a sentence may begin before the name.
    private static IEnumerable<string> Endings(string words) => words.Split(' ') is var all ? all.Select((_, at) => string.Join(' ', all[at..])) : [];

    private static IEnumerable<string> Beginnings(string words) => words.Split(' ') is var all ? all.Select((_, at) => string.Join(' ', all[..(at + 1)])) : [];

    private static bool IsUnfinished(string text) =>
        char.IsAsciiLetterUpper(text[0]) && text.Count(static letter => letter == ' ') >= FewestWordsOfASentence - 1
        && !(text[^1] is '.' or '?' or '}' or ')') && !Part().IsMatch(text);

    private static IEnumerable<string> WithoutUnit(string text) => Quantity().Matches(text).Where(match =>
        !text.AsSpan(0, match.Index).EndsWith("0x") && !Unit().IsMatch(text[(match.Index + match.Length)..])).Select(static match => match.Value);

    private static IEnumerable<string> Faults(Option option)
    {
        if (!(char.IsAsciiLetterUpper(option.Doc[0]) || char.IsAsciiDigit(option.Doc[0]) || option.Doc[0] == '`'))
            yield return $"does not begin with a capital: {option.Doc}";
        foreach (var text in Refusals(option).Prepend(option.Doc).Where(static text => !text.EndsWith('.')))
            yield return $"does not end with a full stop: {text}";
        if (option is NumberOption && option.Unit.Length == 0 && !option.Name.EndsWith("Port", StringComparison.Ordinal))
            yield return "is a number without a unit";
    }

    // What the driver answers to values that it knows and does not support.
    private static IEnumerable<string> Refusals(Option option) => Canonicals(option).Select(option.Refusal).OfType<string>().Distinct();

    private static string[] Canonicals(Option option) => option switch
    {
        SwitchOption => ["True", "False"],
        WordOption => option.AllowedInShort.Split(", "),
        TextOption => ["unknown"],
        _ => [],
    };

    [GeneratedRegex(
        @"\b((?<!\b(attacker|caller|user) )who|whom|whoever|somebody|someone|nobody|anybody|anyone|everybody|everyone|any ?more|to be had"
        + @"|(?<!there )is no (?!longer)|tells?|told|believes?|mends?|gives? up|looks? at|came|speaks?|demands?|ladder|glue|shelf|lever|wire)\b",
        RegexOptions.IgnoreCase)]
    private static partial Regex Mark();

    // The names of places are not shown.
    [GeneratedRegex(@"\{[^{}]*\}")]
    private static partial Regex Hole();

    [GeneratedRegex(@"(?<![\w.@])([A-Z][A-Za-z0-9]*(?: [A-Z][A-Za-z0-9]*)*)=(?=[\w{])")]
    private static partial Regex Assignment();

    [GeneratedRegex(@"\b[Ss]et (?:its |the \w+'s )?((?:[A-Z][a-z]\w*|SSL|TLS|DNS|GUID)(?: [A-Z]\w*)*)")]
    private static partial Regex Advised();

    // Parts of a message that begin with a capital, such as "Use SCRAM-SHA-256 in …": the full stop is in the message around them.
    [GeneratedRegex("^(Use |Allow |Store |Windows |Oracle |OpenID |The command time-out|The personal certificate store|LOAD DATA LOCAL INFILE"
        + "|ParameterStatus)")]
    private static partial Regex Part();

    [GeneratedRegex(@"\{(?:[\w ]*(?:seconds|milliseconds|bytes|length)|Milliseconds|nonce|longest)\}", RegexOptions.IgnoreCase)]
    private static partial Regex Quantity();

    [GeneratedRegex(@"^( more)? (s|ms|bytes|iterations|characters)\b")]
    private static partial Regex Unit();
}
