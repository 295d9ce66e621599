namespace Microsoft.EntityFrameworkCore.Metadata;

/// <summary>How a column gets its value when a row is inserted.</summary>
public enum MySqlValueGenerationStrategy
{
    /// <summary>By the program, or by a default.</summary>
    None = 0,

    /// <summary>By AUTO_INCREMENT.</summary>
    IdentityColumn = 1,

    /// <summary>By CURRENT_TIMESTAMP, when the row is inserted and when it is updated.</summary>
    ComputedColumn = 2,

    /// <summary>By the program, from blocks of values that it takes from a sequence of MariaDB (HiLo).</summary>
    SequenceHiLo = 3,

    /// <summary>By a sequence of MariaDB, whose next value is the column's default.</summary>
    Sequence = 4,
}
