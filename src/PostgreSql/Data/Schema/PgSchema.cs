using Slipstream.PostgreSql.Types;
using Slipstream.Core.Data;
using Slipstream.PostgreSql.Protocol;

namespace Slipstream.PostgreSql;

/// <summary>
/// The collections of <c>PgConnection.GetSchema</c>, with the names and columns that Npgsql documents. Sources: "The Information Schema" and "System Catalogs"
/// of the PostgreSQL manual.
/// </summary>
internal static class PgSchema
{
    private const string NotSystem = "n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')";

    private const string ConstraintTables = """
        pg_catalog.pg_constraint c JOIN pg_catalog.pg_namespace n ON n.oid = c.connamespace
        JOIN pg_catalog.pg_class t ON t.oid = c.conrelid JOIN pg_catalog.pg_namespace tn ON tn.oid = t.relnamespace
        """;

    private const string ConstraintColumns = """
        CONSTRAINT_CATALOG = current_database()
        CONSTRAINT_SCHEMA = n.nspname
        CONSTRAINT_NAME = c.conname
        TABLE_CATALOG = current_database()
        TABLE_SCHEMA = tn.nspname
        TABLE_NAME = t.relname
        """;

    private const string ConstraintType =
        "CASE c.contype WHEN 'p' THEN 'PRIMARY KEY' WHEN 'f' THEN 'FOREIGN KEY' WHEN 'u' THEN 'UNIQUE KEY' WHEN 'c' THEN 'CHECK CONSTRAINT' "
        + "WHEN 'x' THEN 'EXCLUSION' ELSE c.contype::text END";

    // PostgreSQL 18 also has a constraint for each column that is NOT NULL.
    private const string Shown = "c.contype IN ('p', 'f', 'u', 'c', 'x')";

    private const string IndexTables = """
        pg_catalog.pg_index x JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid JOIN pg_catalog.pg_class t ON t.oid = x.indrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace JOIN pg_catalog.pg_am am ON am.oid = i.relam
        """;

    // The words that pg_get_keywords() of PostgreSQL 15 to 18 reports as reserved.
    private const string Reserved = """
        ALL ANALYSE ANALYZE AND ANY ARRAY AS ASC ASYMMETRIC AUTHORIZATION BINARY BOTH CASE CAST CHECK COLLATE COLLATION COLUMN CONCURRENTLY CONSTRAINT CREATE CROSS
        CURRENT_CATALOG CURRENT_DATE CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEFAULT DEFERRABLE DESC DISTINCT DO ELSE END EXCEPT FALSE
        FETCH FOR FOREIGN FREEZE FROM FULL GRANT GROUP HAVING ILIKE IN INITIALLY INNER INTERSECT INTO IS ISNULL JOIN LATERAL LEADING LEFT LIKE LIMIT LOCALTIME
        LOCALTIMESTAMP NATURAL NOT NOTNULL NULL OFFSET ON ONLY OR ORDER OUTER OVERLAPS PLACING PRIMARY REFERENCES RETURNING RIGHT SELECT SESSION_USER SIMILAR SOME
        SYMMETRIC SYSTEM_USER TABLE TABLESAMPLE THEN TO TRAILING TRUE UNION UNIQUE USER USING VARIADIC VERBOSE WHEN WHERE WINDOW WITH
        """;

    private const string Types = """
        boolean|Boolean|1|boolean||System.Boolean|bfp
        smallint|Smallint|2|smallint||System.Int16|abfp
        integer|Integer|4|integer||System.Int32|abfp
        bigint|Bigint|8|bigint||System.Int64|abfp
        real|Real|4|real||System.Single|bfp
        double precision|Double|8|double precision||System.Double|bfp
        numeric|Numeric|-1|numeric({0},{1})|precision,scale|System.Decimal|b
        text|Text|-1|text||System.String|bcs
        character varying|Varchar|-1|character varying({0})|length|System.String|cs
        character|Char|-1|character({0})|length|System.String|cs
        name|Name|64|name||System.String|cfs
        xml|Xml|-1|xml||System.String|c
        json|Json|-1|json||System.String|c
        jsonb|Jsonb|-1|jsonb||System.String|c
        refcursor|Refcursor|-1|refcursor||System.String|cs
        bytea|Bytea|-1|bytea||System.Byte[]|b
        uuid|Uuid|16|uuid||System.Guid|bfp
        date|Date|4|date||System.DateOnly|bfp
        time without time zone|Time|8|time({0})|precision|System.TimeOnly|bf
        time with time zone|TimeTz|12|time({0}) with time zone|precision|System.DateTimeOffset|bf
        timestamp without time zone|Timestamp|8|timestamp({0})|precision|System.DateTime|f
        timestamp with time zone|TimestampTz|8|timestamp({0}) with time zone|precision|System.DateTime|bf
        interval|Interval|16|interval||System.TimeSpan|bf
        "char"|InternalChar|1|"char"||System.Char|bcf
        oid|Oid|4|oid||System.UInt32|bfpu
        xid|Xid|4|xid||System.UInt32|fpu
        cid|Cid|4|cid||System.UInt32|fpu
        xid8|Xid8|8|xid8||System.UInt64|bfpu
        tid|Tid|6|tid||Slipstream.PostgreSql.PgTid|bf
        pg_lsn|PgLsn|8|pg_lsn||Slipstream.PostgreSql.PgLogSequenceNumber|bf
        money|Money|8|money||System.Decimal|fp
        bit|Bit|-1|bit({0})|length|System.Collections.BitArray|
        bit varying|Varbit|-1|bit varying({0})|length|System.Collections.BitArray|b
        inet|Inet|-1|inet||System.Net.IPAddress|b
        cidr|Cidr|-1|cidr||System.Net.IPNetwork|b
        macaddr|MacAddr|6|macaddr||System.Net.NetworkInformation.PhysicalAddress|bf
        macaddr8|MacAddr8|8|macaddr8||System.Net.NetworkInformation.PhysicalAddress|f
        point|Point|16|point||Slipstream.PostgreSql.PgPoint|bf
        line|Line|24|line||Slipstream.PostgreSql.PgLine|bf
        lseg|LSeg|32|lseg||Slipstream.PostgreSql.PgLSeg|bf
        box|Box|32|box||Slipstream.PostgreSql.PgBox|bf
        path|Path|-1|path||Slipstream.PostgreSql.PgPath|b
        polygon|Polygon|-1|polygon||Slipstream.PostgreSql.PgPolygon|b
        circle|Circle|24|circle||Slipstream.PostgreSql.PgCircle|bf
        tsvector|TsVector|-1|tsvector||Slipstream.PostgreSql.PgTsVector|b
        tsquery|TsQuery|-1|tsquery||Slipstream.PostgreSql.PgTsQuery|b
        jsonpath|JsonPath|-1|jsonpath||System.String|c
        regtype|Regtype|4|regtype||System.String|f
        regconfig|Regconfig|4|regconfig||System.String|f
        """;

    private static readonly Lazy<SchemaCatalog> Made = new(static () => new(Collections()));

    public static SchemaCatalog Catalog => Made.Value;

    private static SchemaCollection[] Collections() =>
    [
        CommonSchema.DataSourceInformation("PostgreSQL", @"^[\p{L}_][\p{L}\p{Nd}_$]*$", "(([^\"]|\"\")*)", longestName: 63),
        CommonSchema.DataTypes(
            Types, static name => (int)Enum.Parse<PgDbType>(name),
            ("OID:uint, IsFixedPrecisionAndScale:bool",
                static (name, letters) =>
                    [ParameterTypes.ToOid(Enum.Parse<PgDbType>(name), TypeCatalogue.BuiltIn), letters.Contains('p', StringComparison.Ordinal)])),
        CommonSchema.ReservedWords(Reserved),
        new("Databases", """
            database_name = d.datname
            owner = pg_catalog.pg_get_userbyid(d.datdba)
            encoding = pg_catalog.pg_encoding_to_char(d.encoding)
            """) { From = "pg_catalog.pg_database d", OrderBy = "d.datname", Restrictions = "Name=d.datname", IdentifierParts = 1 },
        new("Schemata", "catalog_name, schema_name, schema_owner")
        {
            // information_schema.schemata shows users only the schemas that they own.
            From = "(SELECT current_database() AS catalog_name, nspname AS schema_name, pg_catalog.pg_get_userbyid(nspowner) AS schema_owner FROM "
                + "pg_catalog.pg_namespace) s",
            OrderBy = "schema_name",
            Restrictions = "Catalog=catalog_name, Schema=schema_name, Owner=schema_owner",
            IdentifierParts = 2,
        },
        new("Tables", "table_catalog, table_schema, table_name, table_type")
        {
            From = "information_schema.tables",
            Where = "table_type IN ('BASE TABLE', 'FOREIGN', 'FOREIGN TABLE') AND table_schema NOT IN ('pg_catalog', 'information_schema')",
            OrderBy = "table_schema, table_name",
            Restrictions = "Catalog=table_catalog, Schema=table_schema, Table=table_name, TableType=table_type",
            IdentifierParts = 3,
        },
        new("Columns", """
            table_catalog, table_schema, table_name, column_name, ordinal_position:int, column_default, is_nullable
            data_type = pg_catalog.format_type(ty.oid, NULL)
            character_maximum_length:int, character_octet_length:int, numeric_precision:int, numeric_precision_radix:int, numeric_scale:int
            datetime_precision:int, character_set_catalog, character_set_schema, character_set_name, collation_catalog
            """)
        {
            From = """
                information_schema.columns JOIN pg_catalog.pg_namespace tyn ON tyn.nspname = udt_schema
                JOIN pg_catalog.pg_type ty ON ty.typnamespace = tyn.oid AND ty.typname = udt_name
                """,
            OrderBy = "table_schema, table_name, ordinal_position",
            Restrictions = "Catalog=table_catalog, Schema=table_schema, Table=table_name, Column=column_name",
            IdentifierParts = 4,
        },
        new("Views", "table_catalog, table_schema, table_name, check_option, is_updatable")
        {
            From = "information_schema.views",
            Where = "table_schema NOT IN ('pg_catalog', 'information_schema')",
            OrderBy = "table_schema, table_name",
            Restrictions = "Catalog=table_catalog, Schema=table_schema, Table=table_name",
            IdentifierParts = 3,
        },
        new("MaterializedViews", """
            table_catalog = current_database()
            table_schema = m.schemaname
            table_name = m.matviewname
            table_owner = m.matviewowner
            has_indexes:bool = m.hasindexes
            is_populated:bool = m.ispopulated
            """)
        {
            From = "pg_catalog.pg_matviews m",
            OrderBy = "m.schemaname, m.matviewname",
            Restrictions = "Catalog=current_database(), Schema=m.schemaname, Table=m.matviewname, Owner=m.matviewowner",
            IdentifierParts = 3,
        },
        new("Users", """
            user_name = u.usename
            user_sysid:uint = u.usesysid
            """) { From = "pg_catalog.pg_user u", OrderBy = "u.usename", Restrictions = "Name=u.usename", IdentifierParts = 1 },
        new("Indexes", """
            table_catalog = current_database()
            table_schema = n.nspname
            table_name = t.relname
            index_name = i.relname
            type_desc = am.amname
            """)
        {
            From = IndexTables,
            Where = NotSystem,
            OrderBy = "n.nspname, t.relname, i.relname",
            Restrictions = "Catalog=current_database(), Schema=n.nspname, Table=t.relname, Index=i.relname",
            IdentifierParts = 4,
        },
        new("IndexColumns", """
            constraint_catalog = current_database()
            constraint_schema = n.nspname
            constraint_name = i.relname
            table_catalog = current_database()
            table_schema = n.nspname
            table_name = t.relname
            column_name = a.attname
            index_name = i.relname
            type_desc = pg_catalog.format_type(a.atttypid, NULL)
            ordinal_position:int = k.place
            """)
        {
            From = IndexTables + """

                CROSS JOIN LATERAL pg_catalog.unnest(x.indkey::smallint[]) WITH ORDINALITY AS k(attnum, place)
                JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
                """,
            Where = NotSystem,
            OrderBy = "n.nspname, t.relname, i.relname, k.place",
            Restrictions = "Catalog=current_database(), Schema=n.nspname, Table=t.relname, Index=i.relname, Column=a.attname",
            IdentifierParts = 5,
        },
        Constraints("Constraints", Shown),
        Constraints("PrimaryKey", "c.contype = 'p'"),
        Constraints("UniqueKeys", "c.contype = 'u'"),
        Constraints("ForeignKeys", "c.contype = 'f'"),
        new("ConstraintColumns", $"""
            {ConstraintColumns}
            COLUMN_NAME = a.attname
            ORDINAL_NUMBER:int = k.place
            CONSTRAINT_TYPE = {ConstraintType}
            """)
        {
            From = ConstraintTables + """

                CROSS JOIN LATERAL pg_catalog.unnest(c.conkey) WITH ORDINALITY AS k(attnum, place) JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
                """,
            Where = $"{NotSystem} AND {Shown}",
            OrderBy = "n.nspname, c.conname, k.place",
            Restrictions = "Catalog=current_database(), Schema=tn.nspname, Table=t.relname, Constraint=c.conname, Column=a.attname",
            IdentifierParts = 5,
        },
    ];

    private static SchemaCollection Constraints(string name, string which) => new(name, $"""
        {ConstraintColumns}
        CONSTRAINT_TYPE = {ConstraintType}
        IS_DEFERRABLE:bool = c.condeferrable
        INITIALLY_DEFERRED:bool = c.condeferred
        """)
    {
        From = ConstraintTables,
        Where = $"{NotSystem} AND {which}",
        OrderBy = "n.nspname, t.relname, c.conname",
        Restrictions = "Catalog=current_database(), Schema=tn.nspname, Table=t.relname, Constraint=c.conname",
        IdentifierParts = 4,
    };
}
