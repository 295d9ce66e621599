namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>A type that is not built in.</summary>
public sealed class TypeMessage : TransactionalMessage
{
    internal TypeMessage()
    {
    }

    /// <summary>Gets the object id of the type.</summary>
    public uint TypeId { get; internal init; }

    /// <summary>Gets the schema of the type; an empty string for pg_catalog.</summary>
    public string Namespace { get; internal init; } = "";

    /// <summary>Gets the name of the type.</summary>
    public string Name { get; internal init; } = "";
}
