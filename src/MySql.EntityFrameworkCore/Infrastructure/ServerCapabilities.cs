using Pomelo.EntityFrameworkCore.MySql.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Infrastructure;

/// <summary>What a server takes. Nothing else in the provider asks for versions.</summary>
internal sealed class ServerCapabilities(ServerType type, Version version)
{
    private bool IsMariaDb { get; } = type == ServerType.MariaDb;

    /// <summary>JOIN LATERAL, and outer columns inside derived tables.</summary>
    public bool Lateral => IsMySqlSince(8, 0, 14);

    /// <summary>INSERT … RETURNING.</summary>
    public bool InsertReturning => IsMariaDbSince(10, 5);

    /// <summary>VALUES ROW(…), ROW(…) as a table.</summary>
    public bool ValuesRows => IsMySqlSince(8, 0, 19);

    /// <summary>JSON is a type: documents are compared as such, and CAST knows it.</summary>
    public bool JsonType => !IsMariaDb;

    /// <summary>JSON_VALUE(… RETURNING type).</summary>
    public bool JsonValueReturning => IsMySqlSince(8, 0, 21);

    /// <summary>The functions REGEXP_LIKE and ANY_VALUE.</summary>
    public bool RegexpLike => !IsMariaDb;

    /// <summary>DELETE FROM t AS a WHERE …</summary>
    public bool DeleteWithAlias => IsMySqlSince(8, 0, 16) || IsMariaDbSince(11, 6);

    /// <summary>A subquery of UPDATE or DELETE may read the table that is changed.</summary>
    public bool TargetInSubquery => IsMariaDbSince(11, 8);

    /// <summary>UPDATE with a join may have LIMIT.</summary>
    public bool LimitInJoinedUpdate => IsMariaDb;

    /// <summary>CREATE SEQUENCE.</summary>
    public bool Sequences => IsMariaDbSince(10, 3);

    /// <summary>WITH SYSTEM VERSIONING.</summary>
    public bool TemporalTables => IsMariaDbSince(10, 3);

    /// <summary>An index on an expression.</summary>
    public bool ExpressionIndexes => IsMySqlSince(8, 0, 13);

    /// <summary>A generated column may be NOT NULL.</summary>
    public bool GeneratedNotNull => !IsMariaDb;

    /// <summary>IF EXISTS in ALTER TABLE, and blocks outside procedures.</summary>
    public bool AnonymousBlocks => IsMariaDb;

    /// <summary>The type UUID.</summary>
    public bool UuidType => IsMariaDbSince(10, 7);

    /// <summary>The type VECTOR.</summary>
    public bool Vectors => IsMySqlSince(9, 0, 0) || IsMariaDbSince(11, 7);

    /// <summary>CAST(… AS DOUBLE) and CAST(… AS FLOAT).</summary>
    public bool CastToDouble => IsMySqlSince(8, 0, 17) || IsMariaDb;

    /// <summary>RENAME COLUMN.</summary>
    public bool RenameColumn => IsMySqlSince(8, 0, 0) || IsMariaDbSince(10, 5);

    /// <summary>RENAME INDEX.</summary>
    public bool RenameIndex => !IsMariaDb || IsMariaDbSince(10, 5);

    /// <summary>A default may be any expression; MySQL wants it in parentheses.</summary>
    public bool DefaultExpressions => IsMySqlSince(8, 0, 13) || IsMariaDb;

    /// <summary>The collation that compares text by letters and case, in utf8mb4.</summary>
    public string CaseSensitiveCollation => IsMariaDb ? IsMariaDbSince(10, 10) ? "utf8mb4_uca1400_as_cs" : "utf8mb4_bin" : "utf8mb4_0900_as_cs";

    /// <summary>The collation that compares text by letters without their case, in utf8mb4.</summary>
    public string CaseInsensitiveCollation => IsMariaDb ? IsMariaDbSince(10, 10) ? "utf8mb4_uca1400_as_ci" : "utf8mb4_general_ci" : "utf8mb4_0900_as_ci";

    private bool IsMySqlSince(int major, int minor, int build) => !IsMariaDb && version >= new Version(major, minor, build);

    private bool IsMariaDbSince(int major, int minor) => IsMariaDb && version >= new Version(major, minor, 0);
}
