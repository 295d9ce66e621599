using Slipstream.Core.Data;

namespace Slipstream.MySql;

/// <summary>
/// The collections of <c>MySqlConnection.GetSchema</c>: first MySqlConnector's in its order, with its columns and types; then those that only Connector/NET
/// has; then our own. Sources: "INFORMATION_SCHEMA Tables" (dev.mysql.com/doc/refman/9.7/en/information-schema.html) and mariadb.com/kb/en/information-schema.
/// </summary>
internal static class MySqlSchema
{
    private const string OfTable = "Catalog=TABLE_CATALOG, Schema=TABLE_SCHEMA, Table=TABLE_NAME";
    private const string OfRoutine = "Catalog=ROUTINE_CATALOG, Schema=ROUTINE_SCHEMA, Name=ROUTINE_NAME, Type=ROUTINE_TYPE";

    private const string ColumnDescription = """
        ORDINAL_POSITION:uint, COLUMN_DEFAULT, IS_NULLABLE, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH:long, NUMERIC_PRECISION:ulong, NUMERIC_SCALE:ulong
        DATETIME_PRECISION:uint, CHARACTER_SET_NAME, COLLATION_NAME, COLUMN_TYPE, COLUMN_KEY, EXTRA, PRIVILEGES, COLUMN_COMMENT, GENERATION_EXPRESSION
        """;

    private const string ParameterColumns = """
        SPECIFIC_CATALOG, SPECIFIC_SCHEMA, SPECIFIC_NAME, ORDINAL_POSITION:int, PARAMETER_MODE, PARAMETER_NAME, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH:long
        CHARACTER_OCTET_LENGTH:long, NUMERIC_PRECISION:int, NUMERIC_SCALE:int, DATETIME_PRECISION:int, CHARACTER_SET_NAME, COLLATION_NAME, DTD_IDENTIFIER, ROUTINE_TYPE
        """;

    // One catalog per kind of server, created at the first use.
    private static readonly Lazy<SchemaCatalog> MySql = new(static () => new(Collections(isMariaDb: false), RestrictionsAt));
    private static readonly Lazy<SchemaCatalog> MariaDb = new(static () => new(Collections(isMariaDb: true), RestrictionsAt));

    // The position in MySqlConnector's list.
    private const int RestrictionsAt = 20;

    public static SchemaCatalog Of(bool isMariaDb) => (isMariaDb ? MariaDb : MySql).Value;

    private static SchemaCollection View(string name, string view, string columns, string restrictions = "", int parts = 0) =>
        new(name, columns) { From = $"information_schema.{view}", Restrictions = restrictions, IdentifierParts = parts };

    private static SchemaCollection[] Collections(bool isMariaDb) =>
    [
        View("CharacterSets", "CHARACTER_SETS", "CHARACTER_SET_NAME, DEFAULT_COLLATE_NAME, DESCRIPTION, MAXLEN:int"),
        View("Collations", "COLLATIONS", "COLLATION_NAME, CHARACTER_SET_NAME, ID:int, IS_DEFAULT, IS_COMPILED, SORTLEN:int"),
        View("CollationCharacterSetApplicability", "COLLATION_CHARACTER_SET_APPLICABILITY", "COLLATION_NAME, CHARACTER_SET_NAME"),
        View("Columns", "COLUMNS", $"TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME\n{ColumnDescription}{(isMariaDb ? "" : ", SRS_ID")}",
            OfTable + ", Column=COLUMN_NAME", 4),
        View("Databases", "SCHEMATA", "CATALOG_NAME, SCHEMA_NAME, DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME, SQL_PATH", "Name=SCHEMA_NAME", 2),
        CommonSchema.DataSourceInformation("MySQL", @"^[\p{L}\p{Nd}$_]+$", "(([^`]|``)*)", longestName: 128),
        CommonSchema.DataTypes(ReservedWords.ListedTypes, static name => (int)Enum.Parse<MySqlDbType>(name)),
        View("Engines", "ENGINES", "ENGINE, SUPPORT, COMMENT, TRANSACTIONS, XA, SAVEPOINTS"),
        View("KeyColumnUsage", "KEY_COLUMN_USAGE", """
            CONSTRAINT_CATALOG, CONSTRAINT_SCHEMA, CONSTRAINT_NAME, TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION:int
            POSITION_IN_UNIQUE_CONSTRAINT, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
            """),
        // MariaDB does not report which keywords are reserved.
        View("KeyWords", "KEYWORDS", isMariaDb ? "WORD\nRESERVED:int = NULL" : "WORD, RESERVED:int"),
        View("Parameters", "PARAMETERS", ParameterColumns),
        View("Partitions", "PARTITIONS", """
            TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, PARTITION_NAME, SUBPARTITION_NAME, PARTITION_ORDINAL_POSITION:int, SUBPARTITION_ORDINAL_POSITION:int
            PARTITION_METHOD, SUBPARTITION_METHOD, PARTITION_EXPRESSION, SUBPARTITION_EXPRESSION, PARTITION_DESCRIPTION, TABLE_ROWS:long, AVG_ROW_LENGTH:long
            DATA_LENGTH:long, MAX_DATA_LENGTH:long, INDEX_LENGTH:long, DATA_FREE:long, CREATE_TIME:time, UPDATE_TIME:time, CHECK_TIME:time, CHECKSUM:long
            PARTITION_COMMENT, NODEGROUP, TABLESPACE_NAME
            """),
        View("Plugins", "PLUGINS", """
            PLUGIN_NAME, PLUGIN_VERSION, PLUGIN_STATUS, PLUGIN_TYPE, PLUGIN_TYPE_VERSION, PLUGIN_LIBRARY, PLUGIN_LIBRARY_VERSION, PLUGIN_AUTHOR
            PLUGIN_DESCRIPTION, PLUGIN_LICENSE, LOAD_OPTION
            """),
        View("Procedures", "ROUTINES", """
            SPECIFIC_NAME, ROUTINE_CATALOG, ROUTINE_SCHEMA, ROUTINE_NAME, ROUTINE_TYPE, DTD_IDENTIFIER, ROUTINE_BODY, ROUTINE_DEFINITION, EXTERNAL_NAME
            EXTERNAL_LANGUAGE, PARAMETER_STYLE, IS_DETERMINISTIC, SQL_DATA_ACCESS, SQL_PATH, SECURITY_TYPE, CREATED:time, LAST_ALTERED:time, SQL_MODE
            ROUTINE_COMMENT, DEFINER
            """, OfRoutine, 3),
        View("ProcessList", "PROCESSLIST", "ID:long, USER, HOST, DB, COMMAND, TIME:int, STATE, INFO"),
        View("Profiling", "PROFILING", """
            QUERY_ID:int, SEQ:int, STATE, DURATION:decimal, CPU_USER:decimal, CPU_SYSTEM:decimal, CONTEXT_VOLUNTARY:int, CONTEXT_INVOLUNTARY:int
            BLOCK_OPS_IN:int, BLOCK_OPS_OUT:int, MESSAGES_SENT:int, MESSAGES_RECEIVED:int, PAGE_FAULTS_MAJOR:int, PAGE_FAULTS_MINOR:int, SWAPS:int
            SOURCE_FUNCTION, SOURCE_FILE, SOURCE_LINE:int
            """),
        View("ReferentialConstraints", "REFERENTIAL_CONSTRAINTS", """
            CONSTRAINT_CATALOG, CONSTRAINT_SCHEMA, CONSTRAINT_NAME, UNIQUE_CONSTRAINT_CATALOG, UNIQUE_CONSTRAINT_SCHEMA, UNIQUE_CONSTRAINT_NAME, MATCH_OPTION
            UPDATE_RULE, DELETE_RULE, TABLE_NAME, REFERENCED_TABLE_NAME
            """, parts: 3),
        CommonSchema.ReservedWords(ReservedWords.Reserved),
        ResourceGroups(isMariaDb),
        View("SchemaPrivileges", "SCHEMA_PRIVILEGES", "GRANTEE, TABLE_CATALOG, TABLE_SCHEMA, PRIVILEGE_TYPE, IS_GRANTABLE"),
        View("Tables", "TABLES", """
            TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, ENGINE, VERSION, ROW_FORMAT, TABLE_ROWS:long, AVG_ROW_LENGTH:long, DATA_LENGTH:long
            MAX_DATA_LENGTH:long, INDEX_LENGTH:long, DATA_FREE:long, AUTO_INCREMENT:long, CREATE_TIME:time, UPDATE_TIME:time, CHECK_TIME:time, TABLE_COLLATION
            CHECKSUM, CREATE_OPTIONS, TABLE_COMMENT
            """, OfTable + ", TableType=TABLE_TYPE", 3),
        View(
            "TableConstraints", "TABLE_CONSTRAINTS", "CONSTRAINT_CATALOG, CONSTRAINT_SCHEMA, CONSTRAINT_NAME, TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_TYPE",
            parts: 3),
        View("TablePrivileges", "TABLE_PRIVILEGES", "GRANTEE, TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, PRIVILEGE_TYPE, IS_GRANTABLE"),
        View("Triggers", "TRIGGERS", """
            TRIGGER_CATALOG, TRIGGER_SCHEMA, TRIGGER_NAME, EVENT_MANIPULATION, EVENT_OBJECT_CATALOG, EVENT_OBJECT_SCHEMA, EVENT_OBJECT_TABLE, ACTION_ORDER:long
            ACTION_CONDITION, ACTION_STATEMENT, ACTION_ORIENTATION, ACTION_TIMING, ACTION_REFERENCE_OLD_TABLE, ACTION_REFERENCE_NEW_TABLE
            ACTION_REFERENCE_OLD_ROW, ACTION_REFERENCE_NEW_ROW, CREATED:time, SQL_MODE, DEFINER, CHARACTER_SET_CLIENT, COLLATION_CONNECTION, DATABASE_COLLATION
            """, "Catalog=TRIGGER_CATALOG, Schema=TRIGGER_SCHEMA, Name=TRIGGER_NAME, EventObjectTable=EVENT_OBJECT_TABLE", 3),
        View("UserPrivileges", "USER_PRIVILEGES", "GRANTEE, TABLE_CATALOG, PRIVILEGE_TYPE, IS_GRANTABLE"),
        View("Views", "VIEWS", """
            TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION, CHECK_OPTION, IS_UPDATABLE, DEFINER, SECURITY_TYPE, CHARACTER_SET_CLIENT, COLLATION_CONNECTION
            """, OfTable, 3),
        // A foreign key's table is in the constraint's schema.
        new("Foreign Keys", """
            CONSTRAINT_CATALOG, CONSTRAINT_SCHEMA, CONSTRAINT_NAME
            TABLE_CATALOG = CONSTRAINT_CATALOG
            TABLE_SCHEMA = CONSTRAINT_SCHEMA
            TABLE_NAME, MATCH_OPTION, UPDATE_RULE, DELETE_RULE
            REFERENCED_TABLE_CATALOG = NULL
            REFERENCED_TABLE_SCHEMA = UNIQUE_CONSTRAINT_SCHEMA
            REFERENCED_TABLE_NAME
            """)
        {
            From = "information_schema.REFERENTIAL_CONSTRAINTS",
            Restrictions = "Catalog=CONSTRAINT_CATALOG, Schema=CONSTRAINT_SCHEMA, Table=TABLE_NAME, Constraint Name=CONSTRAINT_NAME",
        },
        new("Indexes", """
            INDEX_CATALOG = NULL
            INDEX_SCHEMA, INDEX_NAME, TABLE_NAME
            UNIQUE:bool = NOT NON_UNIQUE
            PRIMARY:bool = INDEX_NAME <=> 'PRIMARY'
            TYPE = INDEX_TYPE
            COMMENT
            """)
        {
            From = "information_schema.STATISTICS",
            Where = "SEQ_IN_INDEX = 1",
            Restrictions = OfTable + ", Name=INDEX_NAME",
        },
        new("IndexColumns", """
            INDEX_CATALOG = NULL
            INDEX_SCHEMA, INDEX_NAME, TABLE_NAME, COLUMN_NAME
            ORDINAL_POSITION:int = SEQ_IN_INDEX
            SORT_ORDER = COLLATION
            """)
        {
            From = "information_schema.STATISTICS",
            Restrictions = OfTable + ", Name=INDEX_NAME, Column=COLUMN_NAME",
        },
        .. OfConnectorNet(isMariaDb),
        .. Own(isMariaDb),
    ];

    private static SchemaCollection ResourceGroups(bool isMariaDb)
    {
        const string Columns = "RESOURCE_GROUP_NAME, RESOURCE_GROUP_TYPE, RESOURCE_GROUP_ENABLED:int, VCPU_IDS, THREAD_PRIORITY:int";
        return isMariaDb ? new("ResourceGroups", Columns) { Rows = static _ => [] } : View("ResourceGroups", "RESOURCE_GROUPS", Columns);
    }

    private static SchemaCollection[] OfConnectorNet(bool isMariaDb) =>
    [
        new("Users", """
            HOST = Host
            USERNAME = User
            """) { From = "mysql.user", Restrictions = "Name=User", IdentifierParts = 1 },
        new("UDF", """
            NAME = name
            RETURN_TYPE:int = ret
            LIBRARY_NAME = dl
            """) { From = "mysql.func", Restrictions = "Name=name", IdentifierParts = 1 },
        new("Foreign Key Columns", """
            CONSTRAINT_CATALOG, CONSTRAINT_SCHEMA, CONSTRAINT_NAME, TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION:int
            REFERENCED_TABLE_CATALOG = NULL
            REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
            """)
        {
            From = "information_schema.KEY_COLUMN_USAGE",
            Where = "REFERENCED_TABLE_NAME IS NOT NULL",
            OrderBy = "CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION",
            Restrictions = OfTable + ", Constraint Name=CONSTRAINT_NAME",
            IdentifierParts = 3,
        },
        new("ViewColumns", $"""
            VIEW_CATALOG = TABLE_CATALOG
            VIEW_SCHEMA = TABLE_SCHEMA
            VIEW_NAME = TABLE_NAME
            COLUMN_NAME
            {ColumnDescription}{(isMariaDb ? "" : ", SRS_ID")}
            """)
        {
            From = "information_schema.COLUMNS",
            Where = "(TABLE_SCHEMA, TABLE_NAME) IN (SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.VIEWS)",
            Restrictions = OfTable + ", Column=COLUMN_NAME",
            IdentifierParts = 4,
        },
        new("Procedure Parameters", ParameterColumns)
        {
            From = "information_schema.PARAMETERS",
            OrderBy = "SPECIFIC_SCHEMA, SPECIFIC_NAME, ROUTINE_TYPE, ORDINAL_POSITION",
            Restrictions = "Catalog=SPECIFIC_CATALOG, Schema=SPECIFIC_SCHEMA, Name=SPECIFIC_NAME, Type=ROUTINE_TYPE, Parameter=PARAMETER_NAME",
            IdentifierParts = 1,
        },
    ];

    private static SchemaCollection[] Own(bool isMariaDb) =>
    [
        View("CheckConstraints", "CHECK_CONSTRAINTS", "CONSTRAINT_CATALOG, CONSTRAINT_SCHEMA, CONSTRAINT_NAME, CHECK_CLAUSE",
            "Catalog=CONSTRAINT_CATALOG, Schema=CONSTRAINT_SCHEMA, Name=CONSTRAINT_NAME", 3),
        View("ColumnPrivileges", "COLUMN_PRIVILEGES", "GRANTEE, TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, PRIVILEGE_TYPE, IS_GRANTABLE",
            OfTable + ", Column=COLUMN_NAME"),
        View("Events", "EVENTS", """
            EVENT_CATALOG, EVENT_SCHEMA, EVENT_NAME, DEFINER, TIME_ZONE, EVENT_BODY, EVENT_DEFINITION, EVENT_TYPE, EXECUTE_AT:time, INTERVAL_VALUE, INTERVAL_FIELD
            SQL_MODE, STARTS:time, ENDS:time, STATUS, ON_COMPLETION, CREATED:time, LAST_ALTERED:time, LAST_EXECUTED:time, EVENT_COMMENT, ORIGINATOR:long
            CHARACTER_SET_CLIENT, COLLATION_CONNECTION, DATABASE_COLLATION
            """, "Catalog=EVENT_CATALOG, Schema=EVENT_SCHEMA, Name=EVENT_NAME", 3),
        new("GlobalStatus", "VARIABLE_NAME, VARIABLE_VALUE")
        {
            From = isMariaDb ? "information_schema.GLOBAL_STATUS" : "performance_schema.global_status",
            Restrictions = "Name=VARIABLE_NAME",
            IdentifierParts = 1,
        },
        View("OptimizerTrace", "OPTIMIZER_TRACE", "QUERY, TRACE, MISSING_BYTES_BEYOND_MAX_MEM_SIZE:int, INSUFFICIENT_PRIVILEGES:int"),
    ];
}
