using System.Collections.Frozen;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// The built-in types. Their object ids are the same in every server, so the driver needs no query for them.
/// Source: src/include/catalog/pg_type.dat and pg_range.dat.
/// </summary>
internal static class BuiltInTypes
{
    private const string Schema = "pg_catalog";

    // Object id, name, the name in SQL if it differs, and the object id of the array type if there is one.
    private static readonly (uint Oid, string Name, string? SqlName, uint Array)[] Bases =
    [
        (16, "bool", "boolean", 1000), (17, "bytea", null, 1001), (18, "char", "\"char\"", 1002), (19, "name", null, 1003), (20, "int8", "bigint", 1016),
        (21, "int2", "smallint", 1005), (22, "int2vector", null, 1006), (23, "int4", "integer", 1007), (24, "regproc", null, 1008), (25, "text", null, 1009),
        (26, "oid", null, 1028), (27, "tid", null, 1010), (28, "xid", null, 1011), (29, "cid", null, 1012), (30, "oidvector", null, 1013),
        (114, "json", null, 199), (142, "xml", null, 143), (194, "pg_node_tree", null, 0), (600, "point", null, 1017), (601, "lseg", null, 1018),
        (602, "path", null, 1019), (603, "box", null, 1020), (604, "polygon", null, 1027), (628, "line", null, 629), (650, "cidr", null, 651),
        (700, "float4", "real", 1021), (701, "float8", "double precision", 1022), (718, "circle", null, 719), (774, "macaddr8", null, 775),
        (790, "money", null, 791), (829, "macaddr", null, 1040), (869, "inet", null, 1041), (1033, "aclitem", null, 1034),
        (1042, "bpchar", "character", 1014), (1043, "varchar", "character varying", 1015), (1082, "date", null, 1182),
        (1083, "time", "time without time zone", 1183), (1114, "timestamp", "timestamp without time zone", 1115),
        (1184, "timestamptz", "timestamp with time zone", 1185), (1186, "interval", null, 1187), (1266, "timetz", "time with time zone", 1270),
        (1560, "bit", null, 1561), (1562, "varbit", "bit varying", 1563), (1700, "numeric", null, 1231), (1790, "refcursor", null, 2201),
        (2202, "regprocedure", null, 2207), (2203, "regoper", null, 2208), (2204, "regoperator", null, 2209), (2205, "regclass", null, 2210),
        (2206, "regtype", null, 2211), (2950, "uuid", null, 2951), (2970, "txid_snapshot", null, 2949), (3220, "pg_lsn", null, 3221),
        (3361, "pg_ndistinct", null, 0), (3402, "pg_dependencies", null, 0), (3614, "tsvector", null, 3643), (3615, "tsquery", null, 3645),
        (3642, "gtsvector", null, 3644), (3734, "regconfig", null, 3735), (3769, "regdictionary", null, 3770), (3802, "jsonb", null, 3807),
        (4072, "jsonpath", null, 4073), (4089, "regnamespace", null, 4090), (4096, "regrole", null, 4097), (4191, "regcollation", null, 4192),
        (4600, "pg_brin_bloom_summary", null, 0), (4601, "pg_brin_minmax_multi_summary", null, 0), (5017, "pg_mcv_list", null, 0),
        (5038, "pg_snapshot", null, 5039), (5069, "xid8", null, 271),
    ];

    // A column may have one of these types.
    private static readonly (uint Oid, string Name, uint Array)[] Pseudos =
        [(705, "unknown", 0), (2249, "record", 2287), (2275, "cstring", 1263), (2277, "anyarray", 0), (2278, "void", 0)];

    private static readonly (uint Oid, string Name, uint Array, uint Subtype, uint Multirange, string MultirangeName, uint MultirangeArray)[] Ranges =
    [
        (3904, "int4range", 3905, 23, 4451, "int4multirange", 6150), (3906, "numrange", 3907, 1700, 4532, "nummultirange", 6151),
        (3908, "tsrange", 3909, 1114, 4533, "tsmultirange", 6152), (3910, "tstzrange", 3911, 1184, 4534, "tstzmultirange", 6153),
        (3912, "daterange", 3913, 1082, 4535, "datemultirange", 6155), (3926, "int8range", 3927, 20, 4536, "int8multirange", 6157),
    ];

    // After the tables that it reads.
    /// <summary>Gets the types by object id.</summary>
    public static FrozenDictionary<uint, TypeDefinition> All { get; } = Read().ToFrozenDictionary(type => type.Oid);

    private static IEnumerable<TypeDefinition> Read()
    {
        foreach (var (oid, name, sqlName, array) in Bases)
        {
            yield return new(oid, Schema, name, TypeCategory.Base, 0) { SqlName = sqlName };
            if (array != 0)
                yield return ArrayOf(array, name, oid);
        }

        foreach (var (oid, name, array) in Pseudos)
        {
            yield return new(oid, Schema, name, TypeCategory.Pseudo, 0);
            if (array != 0)
                yield return ArrayOf(array, name, oid);
        }

        foreach (var (oid, name, array, subtype, multirange, multirangeName, multirangeArray) in Ranges)
        {
            yield return new(oid, Schema, name, TypeCategory.Range, subtype);
            yield return ArrayOf(array, name, oid);
            yield return new(multirange, Schema, multirangeName, TypeCategory.Multirange, oid);
            yield return ArrayOf(multirangeArray, multirangeName, multirange);
        }
    }

    private static TypeDefinition ArrayOf(uint oid, string name, uint element) => new(oid, Schema, "_" + name, TypeCategory.Array, element)
    {
        Delimiter = name == "box" ? (byte)';' : TypeDefinition.UsualDelimiter,
    };
}
