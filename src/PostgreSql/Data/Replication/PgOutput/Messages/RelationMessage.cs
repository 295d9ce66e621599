using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>Describes a table, before the first change of it, and again after its definition has changed.</summary>
public sealed class RelationMessage : TransactionalMessage
{
    internal RelationMessage()
    {
    }

    /// <summary>Which columns of the old row a change of the table contains (REPLICA IDENTITY).</summary>
    public enum ReplicaIdentitySetting : byte
    {
        /// <summary>The primary key, if there is one.</summary>
        Default = (byte)'d',

        /// <summary>None.</summary>
        Nothing = (byte)'n',

        /// <summary>All columns.</summary>
        AllColumns = (byte)'f',

        /// <summary>The columns of an index. None if that index has been dropped.</summary>
        IndexWithIndIsReplIdent = (byte)'i',
    }

    /// <summary>Gets the object id of the table.</summary>
    public uint RelationId { get; internal init; }

    /// <summary>Gets the schema of the table; an empty string for pg_catalog.</summary>
    public string Namespace { get; internal init; } = "";

    /// <summary>Gets the name of the table.</summary>
    public string RelationName { get; internal init; } = "";

    /// <summary>Gets which columns of the old row changes contain.</summary>
    public ReplicaIdentitySetting ReplicaIdentity { get; internal init; }

    /// <summary>Gets the published columns, in the order of the values of a row.</summary>
    public IReadOnlyList<Column> Columns { get; internal init; } = [];

    /// <summary>Gets the columns as new rows are read.</summary>
    internal ResultMetadata NewRows { get; init; } = null!;

    /// <summary>Gets the columns as old rows and keys are read.</summary>
    internal ResultMetadata OldRows { get; init; } = null!;

    /// <summary>A column of the table.</summary>
    public readonly struct Column
    {
        internal Column(ColumnFlags flags, string columnName, uint dataTypeId, int typeModifier) =>
            (Flags, ColumnName, DataTypeId, TypeModifier) = (flags, columnName, dataTypeId, typeModifier);

        /// <summary>The flags of a column.</summary>
        [Flags]
        public enum ColumnFlags
        {
            /// <summary>No flag.</summary>
            None = 0,

            /// <summary>The column is part of the key.</summary>
            PartOfKey = 1,
        }

        /// <summary>Gets the flags.</summary>
        public ColumnFlags Flags { get; }

        /// <summary>Gets the name.</summary>
        public string ColumnName { get; }

        /// <summary>Gets the object id of the type.</summary>
        public uint DataTypeId { get; }

        /// <summary>Gets the type's modifier (atttypmod); −1 for none.</summary>
        public int TypeModifier { get; }
    }
}
