using System.Collections.Immutable;

namespace Slipstream.Equivalence.Language;

/// <summary>A column of the table kt, which has one for each of PostgreSQL's other types.</summary>
/// <param name="Name">The name.</param>
/// <param name="SqlType">The type.</param>
/// <param name="Usual">The value of the first row, as a literal.</param>
/// <param name="Extreme">The value of the third row, as a literal. The second row is NULL.</param>
internal sealed record PgColumn(string Name, string SqlType, string Usual, string Extreme);

/// <summary>The columns of the table kt, and the types that they need.</summary>
internal static class PgColumns
{
    /// <summary>
    /// Creates the types. They have schemas of their own, because a data source loads types once: they are made anew only if a program has changed them.
    /// </summary>
    public const string Types =
        """
        DROP SCHEMA IF EXISTS eqt CASCADE; DROP SCHEMA IF EXISTS eqt2 CASCADE;
        CREATE SCHEMA eqt AUTHORIZATION eq_user; CREATE SCHEMA eqt2 AUTHORIZATION eq_user;
        CREATE EXTENSION IF NOT EXISTS hstore SCHEMA public; CREATE EXTENSION IF NOT EXISTS citext SCHEMA public;
        CREATE EXTENSION IF NOT EXISTS ltree SCHEMA public; CREATE EXTENSION IF NOT EXISTS cube SCHEMA public;
        SET ROLE eq_user;
        CREATE TYPE eqt.mood AS ENUM ('sad', 'ok', 'happy'); CREATE TYPE eqt2.mood AS ENUM ('angry', 'calm');
        CREATE TYPE eqt.mapped_mood AS ENUM ('sad', 'ok', 'happy');
        CREATE TYPE eqt.addr AS (street text, no int); CREATE TYPE eqt.mapped_addr AS (street text, no int);
        CREATE TYPE eqt.spare AS ENUM ('one', 'two');
        CREATE DOMAIN eqt.posint AS int CHECK (value > 0); CREATE DOMAIN eqt.ints AS int[];
        CREATE TYPE eqt.frange AS RANGE (subtype = float8, multirange_type_name = eqt.fmultirange);
        RESET ROLE;
        """;

    public static ImmutableArray<PgColumn> All { get; } =
    [
        new("ints", "int[]", "'{1,2,3}'", "'[-1:0][2:3]={{1,NULL},{3,4}}'"),
        new("texts", "text[]", "ARRAY['a', 'NULL', NULL, '', 'x,\"y\"\\z']", "'{}'"),
        new("bools", "bool[]", "'{t,f}'", "'{NULL}'"),
        new("shorts", "int2[]", "'{1,-32768}'", "'{}'"),
        new("longs", "int8[]", "'{9223372036854775807}'", "'{{1},{2}}'"),
        new("singles", "float4[]", "'{1.5,NaN}'", "'{-Infinity}'"),
        new("doubles", "float8[]", "'{0.1,1e300}'", "'{NaN,-0}'"),
        new("nums", "numeric[]", "'{1.10,-2}'", "'{0.00,NULL}'"),
        new("guids", "uuid[]", "'{6f9619ff-8b86-d011-b42d-00c04fc964ff}'", "'{}'"),
        new("dates", "date[]", "'{2024-02-29}'", "'{infinity,-infinity}'"),
        new("stamps", "timestamp[]", "'{2024-02-29 12:34:56.789}'", "'{infinity}'"),
        new("zoned", "timestamptz[]", "'{2024-02-29 12:34:56+00}'", "'{-infinity,infinity}'"),
        new("times", "time[]", "'{23:59:59.999999}'", "'{00:00}'"),
        new("spans", "interval[]", "'{1 day 02:03:04}'", "'{-00:00:01}'"),
        new("byteas", "bytea[]", "ARRAY['\\x00ff'::bytea, '']", "'{}'"),
        new("mo", "eqt.mood", "'ok'", "'happy'"),
        new("mo2", "eqt2.mood", "'calm'", "'angry'"),
        new("mm", "eqt.mapped_mood", "'sad'", "'happy'"),
        new("mos", "eqt.mood[]", "'{ok,NULL,sad}'", "'{}'"),
        new("mms", "eqt.mapped_mood[]", "'{ok,happy}'", "'{{sad}}'"),
        new("ad", "eqt.addr", "ROW('High, \"Street\"', 7)", "ROW(NULL, NULL)"),
        new("ma", "eqt.mapped_addr", "ROW('a\\b', -1)", "ROW('', NULL)"),
        new("mas", "eqt.mapped_addr[]", "ARRAY[ROW('x', 1), ROW('(y)', 2)]::eqt.mapped_addr[]", "'{NULL}'"),
        new("po", "eqt.posint", "5", "2147483647"),
        new("di", "eqt.ints", "'{1,2}'", "'{}'"),
        new("ir", "int4range", "'[1,10)'", "'(,5]'"),
        new("lr", "int8range", "'empty'", "'(,)'"),
        new("nr", "numrange", "'(1.5,2.50]'", "'[0,)'"),
        new("dr", "daterange", "'[2024-01-01,2024-02-29)'", "'[-infinity,2024-01-01)'"),
        new("tr", "tstzrange", "'[2024-01-01 00:00+00,2024-01-02 00:00+00)'", "'(,infinity)'"),
        new("fr", "eqt.frange", "'[0.5,1.5]'", "'empty'"),
        new("im", "int4multirange", "'{[1,3),[8,9)}'", "'{}'"),
        new("irs", "int4range[]", "'{\"[1,3)\",empty,NULL}'", "'{}'"),
        new("js", "json", "'{\"a\" : [1, null, \"\\u00e9\"]}'", "'[]'"),
        new("jb", "jsonb", "'{\"b\": 1.50, \"a\": {}}'", "'[1e3, \"\\n\"]'"),
        new("jp", "jsonpath", "'$.a[*] ? (@ > 1)'", "'$'"),
        new("hs", "public.hstore", "'a=>1, \"b \"=>NULL'", "''"),
        new("ct", "public.citext", "'MiXed'", "''"),
        new("lt", "public.ltree", "'top.science.astronomy'", "''"),
        new("lq", "public.lquery", "'*.astro*{1,3}'", "'a|b'"),
        new("cu", "public.cube", "'(1,2),(3,4.5)'", "'(7)'"),
        new("ip", "inet", "'192.168.0.7/24'", "'2001:db8::1'"),
        new("ci", "cidr", "'10.0.0.0/8'", "'::/0'"),
        new("mc", "macaddr", "'08:00:2b:01:02:03'", "'00:00:00:00:00:00'"),
        new("mc8", "macaddr8", "'08:00:2b:01:02:03:04:05'", "'ff:ff:ff:ff:ff:ff:ff:ff'"),
        new("bi", "bit(5)", "B'10110'", "B'00000'"),
        new("b1", "bit(1)", "B'1'", "B'0'"),
        new("vb", "varbit", "B'101100011'", "B''"),
        new("mn", "money", "-1234.56", "'92233720368547758.07'"),
        new("iv", "interval", "'14 mons -3 days 01:02:03.000001'", "'-178000000 years'"),
        new("nu", "numeric", "-123456789012345678901234567890.5", "'NaN'"),
        new("pt", "point", "'(1.5,-2)'", "'(NaN,Infinity)'"),
        new("li", "line", "'{1,-1,0.5}'", "'{0,1,0}'"),
        new("ls", "lseg", "'[(1,2),(3,4)]'", "'[(0,0),(0,0)]'"),
        new("bx", "box", "'(4,3),(2,1)'", "'(1e300,1),(0.1,-1)'"),
        new("pa", "path", "'[(1,2),(3,4)]'", "'((1,2))'"),
        new("pg", "polygon", "'((1,2),(3,4),(0,0.1))'", "'((0,0))'"),
        new("ce", "circle", "'<(1,2),0.3>'", "'<(0,0),0>'"),
        new("pts", "point[]", "'{\"(0,1)\"}'", "'{}'"),
        new("bxs", "box[]", "'{(4,3),(2,1);(1,1),(0,0)}'", "'{}'"),
        new("tv", "tsvector", "'''fat'':2 ''cat'':3A,4 ''it''''s'''", "''"),
        new("tq", "tsquery", "'''fat'' & (''rat'':AB* | !''cat'') <2> ''dog'''", "'!a'"),
        new("wl", "pg_lsn", "'16/B374D848'", "'0/0'"),
        new("td", "tid", "'(42,7)'", "'(4294967295,65535)'"),
        new("x8", "xid8", "'18446744073709551615'", "'0'"),
        new("xd", "xid", "'4294967295'", "'3'"),
        new("od", "oid", "4294967295", "0"),
        new("ov", "oidvector", "'1 2'", "''"),
        new("rt", "regtype", "'integer'", "'text'"),
        new("rp", "regproc", "'sin'", "'cos'"),
        new("ch", "\"char\"", "'x'", "''"),
        new("nm", "name", "'a name'", "''"),
        new("xm", "xml", "'<a>1</a>'", "'x'"),
        new("tz", "timetz", "'12:34:56.789+05:30'", "'00:00-15:59'"),
        new("sn", "pg_snapshot", "'10:20:10,14'", "'1:1:'"),
    ];

    /// <summary>Gets the definition of the columns.</summary>
    public static string Definition => $"(k INT PRIMARY KEY, {string.Join(", ", All.Select(static column => $"{column.Name} {column.SqlType}"))})";

    /// <summary>Gets the rows: usual values, NULLs, extreme values.</summary>
    public static string Rows =>
        $" VALUES (1, {string.Join(", ", All.Select(static column => column.Usual))}), (2{string.Concat(All.Select(static _ => ", NULL"))}), "
            + $"(3, {string.Join(", ", All.Select(static column => column.Extreme))})";

    /// <summary>Returns the column of a value's type; null if there is none.</summary>
    public static PgColumn? Of(PgValue value) =>
        All.FirstOrDefault(
            column => column.SqlType == value.SqlType || column.SqlType == "eqt." + value.SqlType || column.SqlType == "public." + value.SqlType);
}
