namespace Slipstream.MySql.Codecs;

/// <summary>The options of a data source that the codecs use. Immutable.</summary>
internal sealed record CodecSettings
{
    /// <summary>The defaults of the connection string.</summary>
    public static readonly CodecSettings Default = new();

    /// <summary>How a Guid is stored; never <see cref="MySqlGuidFormat.Default"/>.</summary>
    public MySqlGuidFormat GuidFormat { get; init; } = MySqlGuidFormat.Char36;

    /// <summary>Whether TINYINT(1) is a boolean.</summary>
    public bool TreatTinyAsBoolean { get; init; } = true;

    /// <summary>Whether typed getters only return the column's own type, without conversion.</summary>
    public bool StrictConversions { get; init; }

    /// <summary>Whether dates are read as <see cref="MySqlDateTime"/>, which can represent 0000-00-00.</summary>
    public bool AllowZeroDateTime { get; init; }

    /// <summary>Whether 0000-00-00 is read as <see cref="DateTime.MinValue"/>.</summary>
    public bool ConvertZeroDateTime { get; init; }

    /// <summary>
    /// Whether Byte, UInt16, UInt32 and Single are sent in their own types of the binary protocol. Otherwise, they are sent in a wider type whose values mean
    /// the same as the literals of a text.
    /// </summary>
    public bool SendsNarrowTypes { get; init; }

    /// <summary>The kind of DateTime values that are read, and the kind required of those that are written.</summary>
    public DateTimeKind DateTimeKind { get; init; }
}
