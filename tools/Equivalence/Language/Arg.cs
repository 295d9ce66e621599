using System.Globalization;

namespace Slipstream.Equivalence.Language;

/// <summary>The kind of value of a parameter or of a cell of a bulk copy.</summary>
internal enum ArgKind
{
    Null,
    Boolean,
    SByte,
    Byte,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Single,
    Double,
    Decimal,
    String,
    Char,
    Bytes,
    Guid,
    DateTime,
    DateTimeUtc,
    DateTimeOffset,
    DateOnly,
    TimeOnly,
    TimeSpan,

    /// <summary>A stream of this many bytes, read while it is sent.</summary>
    Stream,

    /// <summary>A stream that throws after this many bytes.</summary>
    BrokenStream,

    /// <summary>An object that no driver can write.</summary>
    Opaque,

    /// <summary>The value of <see cref="PgValues.All"/> with this number.</summary>
    OfPostgreSql,
}

/// <summary>A value as text, so that it can be compared, reduced and printed. <see cref="Value"/> creates the value for each execution.</summary>
internal sealed record Arg(ArgKind Kind, string Text)
{
    public static readonly Arg Null = new(ArgKind.Null, "");

    public static Arg Int(int value) => new(ArgKind.Int32, value.ToString(CultureInfo.InvariantCulture));

    public static Arg Str(string value) => new(ArgKind.String, value);

    public static Arg OfPostgreSql(int number) => new(ArgKind.OfPostgreSql, number.ToString(CultureInfo.InvariantCulture));

    /// <summary>Gets whether the value can be read only once, or not at all.</summary>
    public bool IsReadOnce => Kind is ArgKind.Stream or ArgKind.BrokenStream or ArgKind.Opaque;

    /// <summary>Gets the value of another type of PostgreSQL.</summary>
    private PgValue PgValue => PgValues.All[int.Parse(Text, CultureInfo.InvariantCulture)];

    /// <summary>Gets the type to set as the parameter's <c>DataTypeName</c>; empty: none.</summary>
    public string TypeName => Kind == ArgKind.OfPostgreSql ? PgValue.TypeName : "";

    /// <summary>Creates the value for one execution.</summary>
    /// <param name="isPeer">Whether the peer executes it.</param>
    public object Value(bool isPeer = false) => Kind switch
    {
        ArgKind.OfPostgreSql => isPeer ? PgValue.CreateForPeer!() : PgValue.Create(),
        ArgKind.Null => DBNull.Value,
        ArgKind.Boolean => Text == "true",
        ArgKind.SByte => sbyte.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.Byte => byte.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.Int16 => short.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.UInt16 => ushort.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.Int32 => int.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.UInt32 => uint.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.Int64 => long.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.UInt64 => ulong.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.Single => float.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.Double => double.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.Decimal => decimal.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.String => Text,
        ArgKind.Char => Text[0],
        ArgKind.Bytes => Convert.FromHexString(Text),
        ArgKind.Guid => System.Guid.Parse(Text),
        ArgKind.DateTime => System.DateTime.Parse(Text, CultureInfo.InvariantCulture, DateTimeStyles.None),
        ArgKind.DateTimeUtc => System.DateTime.SpecifyKind(System.DateTime.Parse(Text, CultureInfo.InvariantCulture, DateTimeStyles.None), DateTimeKind.Utc),
        ArgKind.DateTimeOffset => System.DateTimeOffset.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.DateOnly => System.DateOnly.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.TimeOnly => System.TimeOnly.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.TimeSpan => System.TimeSpan.Parse(Text, CultureInfo.InvariantCulture),
        ArgKind.Stream => new TestStream(int.Parse(Text, CultureInfo.InvariantCulture), breaks: false),
        ArgKind.BrokenStream => new TestStream(int.Parse(Text, CultureInfo.InvariantCulture), breaks: true),
        _ => new OpaqueValue(),
    };

    /// <summary>Returns a C# expression that creates the value.</summary>
    /// <param name="hasPeer">Whether the expression chooses between the drivers by the variable <c>factory</c>.</param>
    public string ToCSharp(bool hasPeer = false) => Kind switch
    {
        ArgKind.OfPostgreSql when hasPeer && PgValue is { PeerCode: { } code } value && code != value.Code =>
            $"factory is PgFactory ? (object){value.Code} : (object){code}",
        ArgKind.OfPostgreSql => PgValue.Code,
        ArgKind.Null => "DBNull.Value",
        ArgKind.Boolean => Text,
        ArgKind.SByte => $"(sbyte){Text}",
        ArgKind.Byte => $"(byte){Text}",
        ArgKind.Int16 => $"(short){Text}",
        ArgKind.UInt16 => $"(ushort){Text}",
        ArgKind.Int32 => Text,
        ArgKind.UInt32 => Text + "u",
        ArgKind.Int64 => Text + "L",
        ArgKind.UInt64 => Text + "UL",
        ArgKind.Single => Text + "f",
        ArgKind.Double => Text + "d",
        ArgKind.Decimal => Text + "m",
        ArgKind.String => CSharpText.Literal(Text),
        ArgKind.Char => $"{CSharpText.Literal(Text)}[0]",
        ArgKind.Bytes => $"Convert.FromHexString(\"{Text}\")",
        ArgKind.Guid => $"Guid.Parse(\"{Text}\")",
        ArgKind.DateTime => $"DateTime.Parse(\"{Text}\", CultureInfo.InvariantCulture)",
        ArgKind.DateTimeUtc => $"DateTime.SpecifyKind(DateTime.Parse(\"{Text}\", CultureInfo.InvariantCulture), DateTimeKind.Utc)",
        ArgKind.DateTimeOffset => $"DateTimeOffset.Parse(\"{Text}\", CultureInfo.InvariantCulture)",
        ArgKind.DateOnly => $"DateOnly.Parse(\"{Text}\", CultureInfo.InvariantCulture)",
        ArgKind.TimeOnly => $"TimeOnly.Parse(\"{Text}\", CultureInfo.InvariantCulture)",
        ArgKind.TimeSpan => $"TimeSpan.Parse(\"{Text}\", CultureInfo.InvariantCulture)",
        ArgKind.Stream => $"new TestStream({Text}, false)",
        ArgKind.BrokenStream => $"new TestStream({Text}, true)",
        _ => "new OpaqueValue()",
    };
}
