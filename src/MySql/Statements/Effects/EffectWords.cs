namespace Slipstream.MySql.Statements;

/// <summary>The words with which <see cref="EffectScanner"/> proves that a statement leaves no state in its session.</summary>
internal static class EffectWords
{
    private static readonly WordTable Beginnings = WordTable.Of("SELECT INSERT REPLACE UPDATE DELETE WITH VALUES TABLE");

    // Reserved words (OVER in servers with window functions): a stored function cannot have such a name.
    private static readonly WordTable BeforeParenthesis = WordTable.Of("""
        ALL AND AS BETWEEN BY CASE DISTINCT DIV ELSE EXISTS FROM HAVING IN INDEX INTERVAL IS JOIN KEY LIKE LIMIT MOD NOT ON OR OVER
        PARTITION REGEXP RLIKE SELECT SET THEN UNION USING VALUES WHEN WHERE WITH XOR
        """);

    // The words that may follow the table of an INSERT if a list of columns does not.
    private static readonly WordTable AfterTable = WordTable.Of("VALUES VALUE SELECT SET WITH TABLE PARTITION");

    // NEXT and PREVIOUS belong to VALUE FOR a sequence, PROCEDURE to PROCEDURE ANALYSE. The functions are in no other list; they are here for completeness.
    private static readonly WordTable Tracing =
        WordTable.Of("GET_LOCK RELEASE_LOCK RELEASE_ALL_LOCKS LAST_INSERT_ID NEXTVAL LASTVAL SETVAL NEXT PREVIOUS PROCEDURE");

    // @@last_gtid is a variable of MariaDB ("Global Transaction ID", its session variables).
    private static readonly string[] OfLastStatement = ["identity", "insert_id", "warning_count", "error_count", "last_gtid"];

    /// <summary>
    /// The functions that MySQL 8.0.11 to 9.7 and MariaDB 10.6 and later have in common and that change nothing in their session. If only some servers have a
    /// function, its name may be a stored function on the others. TraceWordTests queries each server. For servers without tests, the source is the manual
    /// ("Built-In Function and Operator Reference" of MySQL 8.0 and 8.4 with its column "Introduced"; "Function and Operator Reference" of MariaDB).
    /// </summary>
    private static readonly WordTable Functions = WordTable.Of("""
        ABS ACOS ASIN ATAN ATAN2 CEIL CEILING CONV COS COT CRC32 DEGREES EXP FLOOR GREATEST LEAST LN LOG LOG10 LOG2 MOD OCT PI POW POWER RADIANS RAND
        ROUND SIGN SIN SQRT TAN TRUNCATE
        ASCII BIN BIT_LENGTH CHAR CHARACTER_LENGTH CHAR_LENGTH CHARSET COERCIBILITY COLLATION CONCAT CONCAT_WS ELT EXPORT_SET FIELD FIND_IN_SET FORMAT
        FROM_BASE64 HEX INSERT INSTR LCASE LEFT LENGTH LOCATE LOWER LPAD LTRIM MAKE_SET MID OCTET_LENGTH ORD POSITION QUOTE REPEAT REPLACE REVERSE RIGHT
        RPAD RTRIM SOUNDEX SPACE STRCMP SUBSTR SUBSTRING SUBSTRING_INDEX TO_BASE64 TRIM UCASE UNHEX UPPER WEIGHT_STRING REGEXP_INSTR REGEXP_REPLACE
        REGEXP_SUBSTR MATCH AGAINST
        ADDDATE ADDTIME CONVERT_TZ CURDATE CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURTIME DATE DATEDIFF DATE_ADD DATE_FORMAT DATE_SUB DAY DAYNAME
        DAYOFMONTH DAYOFWEEK DAYOFYEAR EXTRACT FROM_DAYS FROM_UNIXTIME GET_FORMAT HOUR LAST_DAY LOCALTIME LOCALTIMESTAMP MAKEDATE MAKETIME MICROSECOND
        MINUTE MONTH MONTHNAME NOW PERIOD_ADD PERIOD_DIFF QUARTER SECOND SEC_TO_TIME STR_TO_DATE SUBDATE SUBTIME SYSDATE TIME TIMEDIFF TIMESTAMP
        TIMESTAMPADD TIMESTAMPDIFF TIME_FORMAT TIME_TO_SEC TO_DAYS TO_SECONDS UNIX_TIMESTAMP UTC_DATE UTC_TIME UTC_TIMESTAMP WEEK WEEKDAY WEEKOFYEAR YEAR
        YEARWEEK
        AVG BIT_AND BIT_OR BIT_XOR COUNT GROUP_CONCAT JSON_ARRAYAGG JSON_OBJECTAGG MAX MIN STD STDDEV STDDEV_POP STDDEV_SAMP SUM VARIANCE VAR_POP VAR_SAMP
        CUME_DIST DENSE_RANK FIRST_VALUE LAG LAST_VALUE LEAD NTH_VALUE NTILE PERCENT_RANK RANK ROW_NUMBER
        JSON_ARRAY JSON_ARRAY_APPEND JSON_ARRAY_INSERT JSON_CONTAINS JSON_CONTAINS_PATH JSON_DEPTH JSON_EXTRACT JSON_INSERT JSON_KEYS JSON_LENGTH
        JSON_MERGE_PATCH JSON_MERGE_PRESERVE JSON_OBJECT JSON_QUOTE JSON_REMOVE JSON_REPLACE JSON_SEARCH JSON_SET JSON_TABLE JSON_TYPE
        JSON_UNQUOTE JSON_VALID
        CAST COALESCE CONVERT DEFAULT IF IFNULL ISNULL NULLIF BIT_COUNT COMPRESS UNCOMPRESS UNCOMPRESSED_LENGTH AES_DECRYPT AES_ENCRYPT SHA2
        INET_ATON INET_NTOA INET6_ATON INET6_NTOA IS_IPV4 IS_IPV6 UUID UUID_SHORT SLEEP BENCHMARK CONNECTION_ID CURRENT_ROLE CURRENT_USER DATABASE SCHEMA
        SESSION_USER SYSTEM_USER USER VERSION IS_FREE_LOCK IS_USED_LOCK NAME_CONST VALUE ROW
        DECIMAL NUMERIC BINARY VARBINARY VARCHAR NCHAR FLOAT DOUBLE DATETIME DEC FIXED
        ST_ASBINARY ST_ASTEXT ST_ASWKB ST_ASWKT ST_CONTAINS ST_DISTANCE ST_DISTANCE_SPHERE ST_EQUALS ST_GEOMFROMTEXT ST_GEOMFROMWKB ST_INTERSECTS ST_SRID
        ST_TOUCHES ST_WITHIN ST_X ST_Y
        """);

    // JSON_OVERLAPS, JSON_VALUE and JSON_SCHEMA_VALID are missing: MySQL 8.0 has them only since 8.0.17 and 8.0.21 ("JSON Function Reference").
    private static readonly WordTable OfMySqlOnly = WordTable.Of(
        "ANY_VALUE BIN_TO_UUID UUID_TO_BIN IS_UUID REGEXP_LIKE GROUPING JSON_PRETTY JSON_STORAGE_SIZE RANDOM_BYTES POINT LINESTRING POLYGON MULTIPOINT "
            + "GEOMETRYCOLLECTION");

    // MySQL 9.7 no longer has built-in functions MD5, SHA and SHA1.
    private static readonly WordTable OfMariaDbOnly = WordTable.Of("MD5 SHA SHA1 JSON_VALUE JSON_QUERY JSON_DETAILED JSON_EXISTS MEDIAN NVL NVL2 ADD_MONTHS");

    /// <summary>Returns whether a statement with this first word can be understood.</summary>
    public static bool Begins(ReadOnlySpan<char> word) => Beginnings.Has(word);

    public static bool Inserts(ReadOnlySpan<char> word) => Is(word, "INSERT") || Is(word, "REPLACE");

    /// <summary>Returns whether a statement with this first word changes a table.</summary>
    public static bool Changes(ReadOnlySpan<char> word) => Inserts(word) || Is(word, "UPDATE") || Is(word, "DELETE");

    /// <summary>Returns whether the word is INTO. In INSERT, the table follows it; in other statements, variables or a file.</summary>
    public static bool IsInto(ReadOnlySpan<char> word) => Is(word, "INTO");

    public static bool EndsTable(ReadOnlySpan<char> word) => AfterTable.Has(word);

    public static bool LeavesTrace(ReadOnlySpan<char> word) => Tracing.Has(word);

    /// <summary>Returns whether the word is a keyword, and not a name, before a parenthesis with or without white space.</summary>
    public static bool PrecedesParenthesis(ReadOnlySpan<char> word) => BeforeParenthesis.Has(word);

    /// <summary>Returns whether the word is one of the server's own functions that leave no state, or a type in a CAST.</summary>
    public static bool IsFunction(ReadOnlySpan<char> word, bool isMariaDb) => Functions.Has(word) || (isMariaDb ? OfMariaDbOnly : OfMySqlOnly).Has(word);

    /// <summary>
    /// Returns whether the text may read a variable about the session's last statement. Without a reset, that statement may belong to another lease.
    /// </summary>
    public static bool ReadsLastStatement(string sql)
    {
        if (!sql.Contains("@@", StringComparison.Ordinal))
            return false;
        foreach (var name in OfLastStatement)
            if (sql.Contains(name, StringComparison.OrdinalIgnoreCase))
                return true;
        return false;
    }

    /// <summary>Returns the words for which <see cref="IsFunction"/> is true.</summary>
    public static IEnumerable<string> FunctionsOf(bool isMariaDb)
    {
        foreach (var word in Functions.Words)
            yield return word;
        foreach (var word in (isMariaDb ? OfMariaDbOnly : OfMySqlOnly).Words)
            yield return word;
    }

    private static bool Is(ReadOnlySpan<char> word, string other) => word.Equals(other, StringComparison.OrdinalIgnoreCase);
}
