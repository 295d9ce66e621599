namespace Slipstream.PostgreSql.Replication;

/// <summary>A replication slot of the server.</summary>
public abstract class ReplicationSlot
{
    private protected ReplicationSlot(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        Name = name;
    }

    /// <summary>Gets the name of the slot.</summary>
    public string Name { get; }
}
