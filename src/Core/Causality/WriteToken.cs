using System.Diagnostics.CodeAnalysis;

namespace Slipstream.Core.Causality;

/// <summary>
/// Names writes, so that a later read on a replica can wait for them. Its text can be stored, such as in a cookie, and be parsed by another process. It
/// contains no data of the writes. Tokens are immutable.
/// </summary>
public sealed class WriteToken : IEquatable<WriteToken>
{
    /// <summary>The largest number of characters of a token's text.</summary>
    public const int MaxLength = 4000;

    /// <summary>The text of a token that no server covers.</summary>
    internal const string OfUnknown = "u";

    /// <summary>The beginning of the text of a <see cref="TransactionSet"/>.</summary>
    internal const string OfSet = "s.";

    /// <summary>The beginning of the text of <see cref="DomainSequences"/>.</summary>
    internal const string OfDomains = "d.";

    /// <summary>The beginning of the text of a <see cref="TimelinePosition"/>.</summary>
    internal const string OfTimeline = "t.";

    /// <summary>The separator inside the text. Unlike the comma, it needs no encoding in a cookie or a URL.</summary>
    internal const char Separator = '~';

    private readonly string _text;

    internal WriteToken(LogPosition position) => (Position, _text) = (position, position.ToString());

    /// <summary>The position of the writes.</summary>
    internal LogPosition Position { get; }

    /// <summary>Reads the text of a token.</summary>
    /// <param name="text">
    /// The text, from <see cref="ToString"/>. Texts from clients are safe to parse: a token can only make reads wait or use the primary.
    /// </param>
    /// <returns>The token.</returns>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    /// <exception cref="FormatException">The text is not that of a token, or is longer than <see cref="MaxLength"/>.</exception>
    public static WriteToken Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return TryParse(text, out var token)
            ? token
            : throw new FormatException($"The text of {text.Length} characters is not a write token: pass a text that ToString of a token has returned.");
    }

    /// <summary>Reads the text of a token.</summary>
    /// <param name="text">The text, from <see cref="ToString"/>.</param>
    /// <param name="token">The token; null if the text is not that of a token.</param>
    /// <returns>Whether the text is that of a token.</returns>
    public static bool TryParse([NotNullWhen(true)] string? text, [NotNullWhen(true)] out WriteToken? token)
    {
        token = text is { Length: > 0 and <= MaxLength } && Read(text) is { } position ? new(position) : null;
        return token is not null;
    }

    /// <summary>Returns the text of the token: at most <see cref="MaxLength"/> letters, digits and the characters <c>-._~:</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => _text;

    /// <summary>Returns whether the other token names the same writes.</summary>
    /// <param name="other">The other token.</param>
    /// <returns>True if their texts are equal.</returns>
    public bool Equals(WriteToken? other) => other is not null && _text == other._text;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as WriteToken);

    /// <inheritdoc/>
    public override int GetHashCode() => StringComparer.Ordinal.GetHashCode(_text);

    private static LogPosition? Read(string text) =>
        text == OfUnknown ? LogPosition.Unknown
        : text.StartsWith(OfSet, StringComparison.Ordinal) ? TransactionSet.Parse(text.AsSpan(OfSet.Length), Separator)?.Bounded()
        : text.StartsWith(OfDomains, StringComparison.Ordinal) ? DomainSequences.Parse(text.AsSpan(OfDomains.Length), Separator)
        : text.StartsWith(OfTimeline, StringComparison.Ordinal) ? TimelinePosition.Parse(text.AsSpan(OfTimeline.Length))
        : null;
}
