using System.Data.Common;
using System.Text;
using System.Text.RegularExpressions;
using Slipstream.Core.Data;
using Slipstream.Core.Options;

namespace Slipstream.Fuzzing.Targets;

/// <summary>
/// Connection strings. The word "canary" in an input represents a secret. If it occurs only in values that are secret, no exception and no printed text may
/// contain it.
/// </summary>
internal sealed class ConnectionStrings(
    string name, OptionTable table, Func<string, OptionConnectionStringBuilder> read, Func<OptionConnectionStringBuilder, string> use)
    : IFuzzTarget
{
    private const string Canary = "canary";

    public string Name => name;

    public FuzzLevel Level => FuzzLevel.Bytes;

    public int MostInput => 512;

    public IFrameMap? Frames => null;

    public IReadOnlyList<byte[]> Tokens { get; } =
    [
        .. table.Options.Select(static option => Encoding.UTF8.GetBytes(option.Name + "=")),
        .. table.Options.Select(static option => Encoding.UTF8.GetBytes($"{option.Name}={option.DefaultText};")),
        .. table.Options.Where(static option => option.IsSecret)
            .SelectMany(static option => (byte[][])[Encoding.UTF8.GetBytes($"{option.Name}=canary;"), Encoding.UTF8.GetBytes($"{option.Name}='canary''\";';")]),
        .. ((string[])["canary", ";", "=", "==", "'", "\"", "true;", "no;", "-1;", "4294967296;", "\0", " ", "localhost,[::1]:3307;", "/tmp/s.sock;"])
            .Select(Encoding.UTF8.GetBytes),
    ];

    public IReadOnlyList<byte[]> Seeds()
    {
        var everything = string.Concat(table.Options.Select(static option => $"{option.Name}={option.DefaultText};"));
        return
        [
            .. (
                (string[])[
                    "Server=localhost;User ID=me;Password=canary", "host=a,b:3307;pwd=\"can;canary\";Pooling=no;", "Password='canary", "Password=canary\0;",
                    "Passwort=canary", "", ";;", everything[..400]
                ]).Select(Encoding.UTF8.GetBytes),
            .. table.Options.Select(
                static option => Encoding.UTF8.GetBytes($"{option.Name}={(option.IsSecret ? Canary : option.DefaultText)};Password=canary")),
        ];
    }

    // The suggestion of another keyword compares all keywords.
    public long MostAllocation(int inputLength) => (1 << 20) + 4096L * inputLength;

    public void Execute(ReadOnlySpan<byte> input, StateSet states)
    {
        var text = Encoding.UTF8.GetString(input);
        var isSecret = IsSecret(text);
        try
        {
            var builder = read(text);
            states.Visit(1, builder.Keys.Count);
            var printed = builder.ToText();
            // An empty value in quotes is printed without them, and read again as an option that is not set.
            var isEmpty = text.Contains("\"\"", StringComparison.Ordinal) || text.Contains("''", StringComparison.Ordinal);
            Outcome.Holds(isEmpty || read(printed).ToText() == printed, "a connection string that was printed is read as what it was");
            Check(isSecret, builder.ToStringWithoutSecrets(), "a connection string without its secrets");
            var shown = use(builder);
            states.Visit(2);
            Check(isSecret, shown, "a connection string as it is shown");
        }
        catch (ArgumentException e)
        {
            states.Visit(3);
            CheckException(isSecret, e);
        }
        catch (NotSupportedException e)
        {
            states.Visit(4);
            CheckException(isSecret, e);
        }
    }

    // Checks only messages: the rest of ToString consists of types and places, and costs a millisecond.
    private static void CheckException(bool isSecret, Exception exception)
    {
        for (var one = exception; one is not null; one = one.InnerException)
            Check(isSecret, one.Message, "an exception");
    }

    private static void Check(bool isSecret, string text, string what) =>
        Outcome.Holds(!isSecret || !text.Contains(Canary, StringComparison.OrdinalIgnoreCase), $"no secret stands in {what}");

    private static int Canaries(string text) => Regex.Count(text, Canary, RegexOptions.IgnoreCase | RegexOptions.CultureInvariant);

    // The runtime's own reader assigns values to keywords. A keyword is not secret: without quotes, a semicolon ends a password, and a keyword follows.
    private bool IsSecret(string text)
    {
        if (!text.Contains(Canary, StringComparison.OrdinalIgnoreCase))
            return false;
        try
        {
            var pairs = new DbConnectionStringBuilder { ConnectionString = text };
            var secret = 0;
            foreach (string keyword in pairs.Keys)
                secret += table.TryFind(keyword, out var option) && option.IsSecret ? Canaries(pairs[keyword].ToString()!) : 0;

            // All occurrences must be in secret values: a word elsewhere, even in a value that is overridden later, may be shown.
            return secret == Canaries(text);
        }
        catch (ArgumentException)
        {
            // The runtime refuses a control character in a keyword, which the driver names in its message: the place of the word is then unknown.
            return !text.AsSpan().ContainsAnyInRange('\0', '\x1F') && !text.AsSpan().ContainsAnyInRange('\x7F', '\x9F');
        }
    }
}
