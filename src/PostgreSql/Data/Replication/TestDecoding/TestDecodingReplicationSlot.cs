using Slipstream.PostgreSql.Replication.Internal;

namespace Slipstream.PostgreSql.Replication.TestDecoding;

/// <summary>A replication slot of the plug-in test_decoding.</summary>
public class TestDecodingReplicationSlot : LogicalReplicationSlot
{
    internal const string Plugin = "test_decoding";

    /// <summary>Describes a slot that exists on the server.</summary>
    /// <param name="slotName">The name of the slot.</param>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    public TestDecodingReplicationSlot(string slotName)
        : this(new ReplicationSlotOptions(slotName))
    {
    }

    /// <inheritdoc cref="TestDecodingReplicationSlot(string)"/>
    /// <param name="options">What is known about the slot.</param>
    public TestDecodingReplicationSlot(ReplicationSlotOptions options)
        : base(Plugin, options)
    {
    }
}
