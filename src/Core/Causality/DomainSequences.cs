using System.Globalization;

namespace Slipstream.Core.Causality;

/// <summary>
/// The last transaction of each replication domain. Numbers increase within a domain, whichever server executed the transaction first. Source: MariaDB
/// documentation, "Global Transaction ID".
/// </summary>
internal sealed class DomainSequences : LogPosition
{
    /// <summary>The largest number of domains of a position, so that its text fits into a cookie.</summary>
    public const int MostDomains = 64;

    // Sorted by domain, each domain once.
    private readonly (uint Domain, uint Server, ulong Number)[] _domains;

    private DomainSequences((uint, uint, ulong)[] domains) => _domains = domains;

    /// <summary>Reads the notation of servers and tokens; null if it is malformed, or there is no domain, or there are too many.</summary>
    /// <param name="text">The text: <c>0-1-100,1-2-50</c>.</param>
    /// <param name="separator">The separator between two domains.</param>
    public static DomainSequences? Parse(ReadOnlySpan<char> text, char separator)
    {
        List<(uint, uint, ulong)> domains = [];
        foreach (var range in text.Split(separator))
        {
            if (domains.Count == MostDomains || !TryRead(text[range].Trim(), out var one))
                return null;
            domains.Add(one);
        }

        return new(Latest(domains));
    }

    /// <inheritdoc/>
    public override bool Covers(LogPosition other) =>
        other is DomainSequences sequences
        && Array.TrueForAll(sequences._domains, one => Array.Exists(_domains, own => own.Domain == one.Domain && own.Number >= one.Number));

    // A replica that has executed nothing of a domain yet does not know it.
    /// <inheritdoc/>
    public override bool MayReach(LogPosition other) => other is DomainSequences;

    /// <inheritdoc/>
    public override LogPosition Join(LogPosition other)
    {
        if (other is not DomainSequences sequences)
            return Unknown;
        var joined = Latest([.. _domains, .. sequences._domains]);
        return joined.Length > MostDomains ? Unknown : new DomainSequences(joined);
    }

    /// <inheritdoc/>
    public override string ToString() => WriteToken.OfDomains + Text(WriteToken.Separator);

    /// <summary>Returns the notation of servers, such as <c>0-1-100,1-2-50</c>.</summary>
    /// <param name="separator">The separator between two domains.</param>
    public string Text(char separator = ',') => string.Join(
        separator, _domains.Select(static one => string.Create(CultureInfo.InvariantCulture, $"{one.Domain}-{one.Server}-{one.Number}")));

    private static (uint Domain, uint Server, ulong Number)[] Latest(List<(uint Domain, uint Server, ulong Number)> domains) =>
        [.. domains.GroupBy(static one => one.Domain).Select(static one => one.MaxBy(static two => two.Number)).OrderBy(static one => one.Domain)];

    private static bool TryRead(ReadOnlySpan<char> text, out (uint Domain, uint Server, ulong Number) one)
    {
        one = default;
        Span<Range> parts = stackalloc Range[4];
        return text.Split(parts, '-') == 3
            && uint.TryParse(text[parts[0]], NumberStyles.None, CultureInfo.InvariantCulture, out one.Domain)
            && uint.TryParse(text[parts[1]], NumberStyles.None, CultureInfo.InvariantCulture, out one.Server)
            && ulong.TryParse(text[parts[2]], NumberStyles.None, CultureInfo.InvariantCulture, out one.Number);
    }
}
