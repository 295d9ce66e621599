using Slipstream.PostgreSql.Replication;
using Slipstream.PostgreSql.Replication.Internal;
using Slipstream.PostgreSql.Replication.PgOutput;
using Slipstream.PostgreSql.Replication.TestDecoding;

namespace Slipstream.PostgreSql.Tests.Replication;

/// <summary>The parts of replication that need no server.</summary>
public class ReplicationConnectionTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_new_connection_has_the_defaults_of_Npgsql()
    {
        await using var connection = new LogicalReplicationConnection();
        Assert.Equal("", connection.ConnectionString);
        Assert.Equal(TimeSpan.FromSeconds(10), connection.WalReceiverStatusInterval);
        Assert.Equal(TimeSpan.FromSeconds(60), connection.WalReceiverTimeout);
        Assert.Equal(TimeSpan.FromSeconds(30), connection.CommandTimeout);
        Assert.Equal(PgLogSequenceNumber.Invalid, connection.LastReceivedLsn);
        await using var other = new PhysicalReplicationConnection("Host=h;Command Timeout=7");
        Assert.Equal(TimeSpan.FromSeconds(7), other.CommandTimeout);
    }

    [Fact]
    public async Task A_closed_connection_refuses_what_needs_an_open_one()
    {
        var connection = new LogicalReplicationConnection("Host=h");
        Assert.Throws<InvalidOperationException>(() => connection.ProcessID);
        Assert.Throws<InvalidOperationException>(() => connection.Encoding);
        Assert.Throws<InvalidOperationException>(() => connection.ServerVersion);
        await Assert.ThrowsAsync<InvalidOperationException>(() => connection.IdentifySystem(Token));
        await Assert.ThrowsAsync<InvalidOperationException>(() => connection.SendStatusUpdate(Token));
        var stream = connection.StartReplication(new PgOutputReplicationSlot("s"), new PgOutputReplicationOptions("p", 1), Token);
        await using var messages = stream.GetAsyncEnumerator(Token);
        await Assert.ThrowsAsync<InvalidOperationException>(() => messages.MoveNextAsync().AsTask());
        await connection.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => connection.Open(Token));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => connection.IdentifySystem(Token));
    }

    [Fact]
    public async Task A_connection_needs_a_string_without_roles()
    {
        await using var without = new PhysicalReplicationConnection();
        await Assert.ThrowsAsync<InvalidOperationException>(() => without.Open(Token));
        await using var roles = new PhysicalReplicationConnection("Host=h;Target Session Attributes=primary");
        await Assert.ThrowsAsync<NotSupportedException>(() => roles.Open(Token));
        Assert.Throws<ArgumentException>(() => new PhysicalReplicationConnection("No Such Option=1"));
    }

    [Fact]
    public void Times_are_checked()
    {
        var connection = new LogicalReplicationConnection { CommandTimeout = TimeSpan.Zero, WalReceiverTimeout = Timeout.InfiniteTimeSpan };
        Assert.Equal(Timeout.InfiniteTimeSpan, connection.WalReceiverTimeout);
        Assert.Throws<ArgumentOutOfRangeException>(() => connection.CommandTimeout = TimeSpan.FromSeconds(-5));
        Assert.Throws<ArgumentOutOfRangeException>(() => connection.WalReceiverTimeout = TimeSpan.FromDays(30));
        Assert.Throws<ArgumentOutOfRangeException>(() => connection.WalReceiverStatusInterval = TimeSpan.FromTicks(-1));
    }

    [Fact]
    public void Arguments_of_the_streams_are_checked()
    {
        var connection = new PhysicalReplicationConnection();
        Assert.Throws<ArgumentNullException>(() => connection.StartReplication((PhysicalReplicationSlot)null!, Token));
        Assert.Throws<ArgumentException>(() => connection.StartReplication(new PhysicalReplicationSlot("s"), Token));
        var logical = new LogicalReplicationConnection();
        Assert.Throws<ArgumentNullException>(() => logical.StartReplication((PgOutputReplicationSlot)null!, new PgOutputReplicationOptions("p", 1), Token));
        Assert.Throws<ArgumentNullException>(() => logical.StartReplication(new PgOutputReplicationSlot("s"), null!, Token));
        Assert.Throws<ArgumentOutOfRangeException>(() => new PgOutputReplicationOptions("p", 5));
        Assert.Throws<ArgumentException>(() => new PgOutputReplicationOptions([], 1));
        Assert.Throws<ArgumentNullException>(() => new PgOutputReplicationOptions((string)null!, 1));
    }

    [Theory]
    [InlineData("slot_1", "\"slot_1\"")]
    [InlineData("Slot", "\"slot\"")]
    [InlineData("a\" b", "\"a\"\" b\"")]
    public void Names_of_slots_are_quoted(string name, string quoted) => Assert.Equal(quoted, ReplicationNames.Slot(name, "slotName"));

    [Fact]
    public void Options_of_plug_ins_are_quoted()
    {
        Assert.Equal(
            " (\"proto_version\" '4', \"publication_names\" '\"a\"\"b\",\"it''s\"', \"binary\" 'on', \"streaming\" 'parallel', \"messages\" 'off')",
            ReplicationNames.Options(
                new PgOutputReplicationOptions(["a\"b", "it's"], PgOutputProtocolVersion.V4, true, PgOutputStreamingMode.Parallel, false).Pairs()));
        Assert.Equal(" (\"proto_version\" '1', \"publication_names\" '\"p\"')", ReplicationNames.Options(new PgOutputReplicationOptions("p", 1).Pairs()));
        Assert.Equal(
            " (\"include-xids\" 'off', \"stream-changes\" 'on')", ReplicationNames.Options(new TestDecodingOptions(false, streamChanges: true).Pairs()));
        Assert.Equal("", ReplicationNames.Options(new TestDecodingOptions().Pairs()));
        Assert.Equal(" (\"plain\")", ReplicationNames.Options([new("plain", null)]));
        Assert.Throws<ArgumentException>(() => ReplicationNames.Options([new("a\0", null)]));
    }

    [Theory]
    [InlineData(null, false, "", "")]
    [InlineData(LogicalSlotSnapshotInitMode.Export, false, " (SNAPSHOT 'export')", " EXPORT_SNAPSHOT")]
    [InlineData(LogicalSlotSnapshotInitMode.Use, true, " (SNAPSHOT 'use', TWO_PHASE)", " USE_SNAPSHOT TWO_PHASE")]
    [InlineData(LogicalSlotSnapshotInitMode.NoExport, false, " (SNAPSHOT 'nothing')", " NOEXPORT_SNAPSHOT")]
    [InlineData(null, true, " (TWO_PHASE)", " TWO_PHASE")]
    public void Slots_are_created_as_the_servers_release_expects(LogicalSlotSnapshotInitMode? snapshot, bool twoPhase, string modern, string old)
    {
        Assert.Equal(modern, LogicalReplicationConnectionExtensions.Options(snapshot, twoPhase, true));
        Assert.Equal(old, LogicalReplicationConnectionExtensions.Options(snapshot, twoPhase, false));
    }

    [Fact]
    public void Options_are_compared_by_their_values()
    {
        Assert.Equal(
            new PgOutputReplicationOptions("p", 2, streaming: true),
            new PgOutputReplicationOptions(["p"], PgOutputProtocolVersion.V2, null, PgOutputStreamingMode.On));
        Assert.NotEqual(new PgOutputReplicationOptions("p", 2), new PgOutputReplicationOptions("q", 2));
        Assert.Equal(new TestDecodingOptions(true).GetHashCode(), new TestDecodingOptions(true).GetHashCode());
        Assert.NotEqual(new TestDecodingOptions(true), new TestDecodingOptions(false));
    }

    [Fact]
    public void Slots_keep_what_is_known_about_them()
    {
        var slot = new PgOutputReplicationSlot(new ReplicationSlotOptions("s", "1/2"));
        Assert.Equal(("s", "pgoutput", PgLogSequenceNumber.Parse("1/2"), null), (slot.Name, slot.OutputPlugin, slot.ConsistentPoint, slot.SnapshotName));
        Assert.Equal("test_decoding", new TestDecodingReplicationSlot("s").OutputPlugin);
        Assert.Throws<ArgumentNullException>(() => new PhysicalReplicationSlot(null!));
    }
}
