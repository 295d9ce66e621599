using System.Collections;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.Specialized;
using System.Net;
using System.Net.NetworkInformation;

namespace Slipstream.PostgreSql.Types;

/// <summary>The converters of the types that are not scalars, and the .NET types that are sent as one of them.</summary>
internal static class BuiltInConverters
{
    private static readonly PgConverter[] BitStrings = [new BitArrayConverter(), new SingleBitConverter(), new BitVectorConverter(), new BitTextConverter()];

    // By the name in pg_type, because the object ids of extensions differ between databases. The first converter determines what GetValue returns.
    private static readonly FrozenDictionary<string, PgConverter[]> ByName = new Dictionary<string, PgConverter[]>(StringComparer.Ordinal)
    {
        ["inet"] = [new IPAddressConverter(), new InetConverter(), new AddressWithBitsConverter()],
        ["cidr"] = [new IPNetworkConverter(), new CidrConverter()],
        ["macaddr"] = [new MacAddressConverter(6)],
        ["macaddr8"] = [new MacAddressConverter(8)],
        ["bit"] = BitStrings,
        ["varbit"] = BitStrings,
        ["money"] = [new MoneyConverter()],
        ["point"] = [new PointConverter()],
        ["line"] = [new LineConverter()],
        ["lseg"] = [new LSegConverter()],
        ["box"] = [new BoxConverter()],
        ["path"] = [new PathConverter()],
        ["polygon"] = [new PolygonConverter()],
        ["circle"] = [new CircleConverter()],
        ["tsvector"] = [new TsVectorConverter()],
        ["tsquery"] =
        [
            new TsQueryConverter<PgTsQuery>(), new TsQueryConverter<PgTsQueryLexeme>(), new TsQueryConverter<PgTsQueryNot>(),
            new TsQueryConverter<PgTsQueryAnd>(), new TsQueryConverter<PgTsQueryOr>(), new TsQueryConverter<PgTsQueryFollowedBy>(),
            new TsQueryConverter<PgTsQueryEmpty>(),
        ],
        ["pg_lsn"] = [new LogSequenceNumberConverter(), new LogOffsetConverter()],
        ["tid"] = [new TidConverter()],
        ["xid8"] = [new TransactionIdConverter()],
        ["int2vector"] = [new Int2VectorConverter()],
        ["oidvector"] = [new OidVectorConverter()],
        ["jsonpath"] = [new VersionedTextConverter()],
        ["hstore"] = [new HstoreConverter(), new ImmutableHstoreConverter(), new HstoreInterfaceConverter()],
        ["ltree"] = [new VersionedTextConverter()],
        ["lquery"] = [new VersionedTextConverter()],
        ["ltxtquery"] = [new VersionedTextConverter()],
        ["cube"] = [new CubeConverter()],
    }.ToFrozenDictionary(StringComparer.Ordinal);

    // The type that a value is sent as.
    private static readonly FrozenDictionary<Type, string> Names = new Dictionary<Type, string>
    {
        [typeof(PgRange<int>)] = "int4range",
        [typeof(PgRange<long>)] = "int8range",
        [typeof(PgRange<decimal>)] = "numrange",
        [typeof(PgRange<DateTime>)] = "tsrange",
        [typeof(PgRange<DateTimeOffset>)] = "tstzrange",
        [typeof(PgRange<DateOnly>)] = "daterange",
        [typeof(PgInterval)] = "interval",
        [typeof(IPAddress)] = "inet",
        [typeof(PgInet)] = "inet",
        [typeof((IPAddress, int))] = "inet",
        [typeof(IPNetwork)] = "cidr",
        [typeof(PgCidr)] = "cidr",
        [typeof(PhysicalAddress)] = "macaddr",
        [typeof(BitArray)] = "varbit",
        [typeof(BitVector32)] = "varbit",
        [typeof(PgPoint)] = "point",
        [typeof(PgLine)] = "line",
        [typeof(PgLSeg)] = "lseg",
        [typeof(PgBox)] = "box",
        [typeof(PgPath)] = "path",
        [typeof(PgPolygon)] = "polygon",
        [typeof(PgCircle)] = "circle",
        [typeof(PgTsVector)] = "tsvector",
        [typeof(PgTsQuery)] = "tsquery",
        [typeof(PgLogSequenceNumber)] = "pg_lsn",
        [typeof(PgTid)] = "tid",
        [typeof(Dictionary<string, string?>)] = "hstore",
        [typeof(ImmutableDictionary<string, string?>)] = "hstore",
        [typeof(IDictionary<string, string?>)] = "hstore",
        [typeof(PgCube)] = "cube",
    }.ToFrozenDictionary();

    static BuiltInConverters()
    {
        // Arrays whose elements may be NULL. The converters register the others.
        ElementShapes.RegisterValue<PgInet>();
        ElementShapes.RegisterValue<IPNetwork>();
        ElementShapes.RegisterValue<PgCidr>();
        ElementShapes.RegisterValue<BitVector32>();
        ElementShapes.RegisterValue<PgPoint>();
        ElementShapes.RegisterValue<PgLine>();
        ElementShapes.RegisterValue<PgLSeg>();
        ElementShapes.RegisterValue<PgBox>();
        ElementShapes.RegisterValue<PgPath>();
        ElementShapes.RegisterValue<PgPolygon>();
        ElementShapes.RegisterValue<PgCircle>();
        ElementShapes.RegisterValue<PgLogSequenceNumber>();
        ElementShapes.RegisterValue<PgTid>();
        ElementShapes.RegisterValue<PgCube>();
    }

    /// <summary>Gets the converters of a bit string of one bit, the first of which returns a Boolean.</summary>
    public static PgConverter[] OfSingleBit { get; } = [new SingleBitConverter(), .. BitStrings];

    /// <summary>Returns the converters of a base type; none if it is a scalar or unknown.</summary>
    public static PgConverter[] For(TypeDefinition type) => ByName.GetValueOrDefault(type.Name, []);

    /// <summary>Returns whether the type has a binary format that the converters read.</summary>
    public static bool HasBinary(TypeDefinition type) => true;

    /// <summary>Returns whether the type's binary format is its text.</summary>
    public static bool IsText(TypeDefinition type) => type.Name is "citext";

    /// <summary>Returns the name of the type that values of a .NET type, or of one that derives from it, are sent as; null if there is none.</summary>
    public static string? NameFor(Type type)
    {
        for (var at = type; at is not null; at = at.BaseType)
        {
            if (Names.TryGetValue(at, out var name))
                return name;
        }

        return null;
    }
}
