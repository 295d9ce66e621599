namespace Microsoft.EntityFrameworkCore;

/// <summary>The text of a JSON document, as <c>EF.Functions.AsJson</c> returns it. It converts from and to a string implicitly.</summary>
public sealed class MySqlJsonString
{
    private readonly string _text;

    private MySqlJsonString(string text) => _text = text;

    /// <summary>Returns the text of a document.</summary>
    /// <param name="value">The document.</param>
    public static implicit operator string?(MySqlJsonString? value) => value?._text;

    /// <summary>Creates a document from a text. The text is not checked.</summary>
    /// <param name="value">The text.</param>
    public static implicit operator MySqlJsonString?(string? value) => value is null ? null : new(value);

    /// <summary>Returns whether two documents have the same text.</summary>
    /// <param name="left">A document.</param>
    /// <param name="right">A document.</param>
    public static bool operator ==(MySqlJsonString? left, MySqlJsonString? right) => left?._text == right?._text;

    /// <summary>Returns whether two documents have different texts.</summary>
    /// <param name="left">A document.</param>
    /// <param name="right">A document.</param>
    public static bool operator !=(MySqlJsonString? left, MySqlJsonString? right) => !(left == right);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is MySqlJsonString other && other._text == _text;

    /// <inheritdoc/>
    public override int GetHashCode() => _text.GetHashCode(StringComparison.Ordinal);

    /// <inheritdoc/>
    public override string ToString() => _text;
}
