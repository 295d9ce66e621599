namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The beginning of a transaction that was prepared for a two-phase commit.</summary>
public sealed class BeginPrepareMessage : PrepareMessageBase
{
    internal BeginPrepareMessage()
    {
    }
}
