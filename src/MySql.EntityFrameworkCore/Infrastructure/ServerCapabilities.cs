using Pomelo.EntityFrameworkCore.MySql.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Infrastructure;

/// <summary>What a server takes. Nothing else in the provider asks for versions.</summary>
internal sealed class ServerCapabilities(ServerType type, Version version) : IMySqlSpatialCapabilities
{
    private bool IsMariaDb { get; } = type == ServerType.MariaDb;

    /// <summary>JOIN LATERAL, and outer columns inside derived tables.</summary>
    public bool Lateral => IsMySqlSince(8, 0, 14);

    /// <summary>INSERT … RETURNING.</summary>
    public bool InsertReturning => IsMariaDbSince(10, 5);

    /// <summary>JSON is a type: documents are compared as such, and CAST knows it.</summary>
    public bool JsonType => !IsMariaDb;

    /// <summary>A subquery of UPDATE or DELETE may read the table that is changed.</summary>
    public bool TargetInSubquery => IsMariaDbSince(11, 8);

    /// <summary>CREATE SEQUENCE.</summary>
    public bool Sequences => IsMariaDbSince(10, 3);

    /// <summary>WITH SYSTEM VERSIONING, FOR SYSTEM_TIME, and invisible columns.</summary>
    public bool SystemVersioning => IsMariaDbSince(10, 3);

    /// <summary>A generated column may be NOT NULL.</summary>
    public bool GeneratedNotNull => !IsMariaDb;

    /// <summary>CAST(… AS DOUBLE) and CAST(… AS FLOAT).</summary>
    public bool CastToDouble => IsMySqlSince(8, 0, 17) || IsMariaDb;

    /// <summary>The collation of utf8mb4 that compares bytes, blanks at the end included.</summary>
    public string BytewiseCollation => IsMariaDb ? "utf8mb4_nopad_bin" : IsMySqlSince(8, 0, 17) ? "utf8mb4_0900_bin" : "utf8mb4_bin";

    /// <summary>VEC_DISTANCE_COSINE, VEC_DISTANCE_EUCLIDEAN and VECTOR INDEX.</summary>
    public bool VectorDistance => IsMariaDbSince(11, 7);

    /// <summary>JSON_OVERLAPS.</summary>
    public bool JsonOverlaps => IsMySqlSince(8, 0, 17) || IsMariaDbSince(10, 9);

    /// <inheritdoc/>
    public bool ReferenceSystems => !IsMariaDb;

    /// <inheritdoc/>
    public bool Topology => IsMariaDb;

    /// <inheritdoc/>
    public bool Validity => !IsMariaDb;

    /// <inheritdoc/>
    public bool Emptiness => !IsMariaDb;

    /// <inheritdoc/>
    public bool SphericalDistance => !IsMariaDb || IsMariaDbSince(10, 5);

    private bool IsMySqlSince(int major, int minor, int build) => !IsMariaDb && version >= new Version(major, minor, build);

    private bool IsMariaDbSince(int major, int minor) => IsMariaDb && version >= new Version(major, minor, 0);
}
