namespace Slipstream.MySql.Codecs;

/// <summary>What the codecs must know beyond the column: options of a data source. Immutable.</summary>
internal sealed record CodecSettings
{
    /// <summary>The defaults of the connection string.</summary>
    public static readonly CodecSettings Default = new();

    /// <summary>How a Guid is stored; never <see cref="MySqlGuidFormat.Default"/>.</summary>
    public MySqlGuidFormat GuidFormat { get; init; } = MySqlGuidFormat.Char36;

    /// <summary>TINYINT(1) is a boolean.</summary>
    public bool TreatTinyAsBoolean { get; init; } = true;

    /// <summary>Typed getters give what a column holds and convert nothing.</summary>
    public bool StrictConversions { get; init; }

    /// <summary>Dates are read as <see cref="MySqlDateTime"/>, which can hold 0000-00-00.</summary>
    public bool AllowZeroDateTime { get; init; }

    /// <summary>0000-00-00 is read as <see cref="DateTime.MinValue"/>.</summary>
    public bool ConvertZeroDateTime { get; init; }

    /// <summary>The kind of the DateTime values that are read, and what is demanded of those that are written.</summary>
    public DateTimeKind DateTimeKind { get; init; }
}
