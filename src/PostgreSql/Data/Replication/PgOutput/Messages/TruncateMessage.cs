namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>Tables that were truncated together.</summary>
public sealed class TruncateMessage : TransactionalMessage
{
    internal TruncateMessage()
    {
    }

    /// <summary>The options of a TRUNCATE.</summary>
    [Flags]
    public enum TruncateOptions : byte
    {
        /// <summary>No option.</summary>
        None = 0,

        /// <summary>CASCADE.</summary>
        Cascade = 1,

        /// <summary>RESTART IDENTITY.</summary>
        RestartIdentity = 2,
    }

    /// <summary>Gets the options.</summary>
    public TruncateOptions Options { get; internal init; }

    /// <summary>Gets the tables.</summary>
    public IReadOnlyList<RelationMessage> Relations { get; internal init; } = [];
}
