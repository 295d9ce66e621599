namespace Microsoft.EntityFrameworkCore;

/// <summary>Where a character set or a collation of a model or an entity type applies.</summary>
[Flags]
public enum DelegationModes
{
    /// <summary>To all that follow.</summary>
    Default = 0,

    /// <summary>To the database.</summary>
    ApplyToDatabases = 1,

    /// <summary>To the tables.</summary>
    ApplyToTables = 2,

    /// <summary>To the columns.</summary>
    ApplyToColumns = 4,

    /// <summary>To the database, the tables and the columns.</summary>
    ApplyToAll = ApplyToDatabases | ApplyToTables | ApplyToColumns,
}
