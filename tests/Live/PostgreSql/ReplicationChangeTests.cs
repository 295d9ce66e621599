using System.Text;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Replication;
using Slipstream.PostgreSql.Replication.PgOutput;
using Slipstream.PostgreSql.Replication.PgOutput.Messages;
using Slipstream.PostgreSql.Replication.TestDecoding;

namespace Slipstream.Live.PostgreSql;

/// <summary>What logical replication reports of each change, with a real server.</summary>
public class ReplicationChangeTests : ReplicationTestBase
{
    [Theory]
    [InlineData(false, "")]
    [InlineData(true, "")]
    [InlineData(false, "SSL Mode=Require")]
    [InlineData(true, "Async Engine=Runtime")]
    public async Task Changes_of_all_kinds_arrive(bool binary, string options)
    {
        await SetupAsync("CREATE TYPE {0}_mood AS ENUM ('sad', 'glad')", "CREATE TABLE {0} (id int PRIMARY KEY, t text, n numeric, a int[], m {0}_mood)");
        await using var connection = await OpenAsync(options);
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        Assert.Equal(Slot, slot.Name);
        await ExecuteAsync(
            "INSERT INTO {0} VALUES (1, 'one', 1.5, '{{1,2}}', 'glad'), (2, NULL, NULL, NULL, NULL)", "UPDATE {0} SET t = 'two' WHERE id = 2",
            "UPDATE {0} SET id = 3 WHERE id = 2", "DELETE FROM {0} WHERE id = 1", "TRUNCATE {0} RESTART IDENTITY");
        var seen = await CollectAsync(
            connection, slot, new PgOutputReplicationOptions(Publication, PgOutputProtocolVersion.V1, binary),
            static message => message is TruncateMessage, Describe);
        Assert.Equal(
            [
                "Begin", "Type mood", "Relation Default id* t n a m", "Insert 1,one,1.5,1+2,glad", "Insert 2,null,null,null,null", "Commit",
                "Begin", "Update 2,two,null,null,null", "Commit", "Begin", "Update 2,null,null,null,null => 3,two,null,null,null", "Commit",
                "Begin", "Delete 1,null,null,null,null", "Commit", "Begin", "Truncate RestartIdentity",
            ],
            seen.Where(static (one, i) => i < 3 || !one.StartsWith("Relation", StringComparison.Ordinal) && !one.StartsWith("Type", StringComparison.Ordinal)));

        async Task<string> Describe(PgOutputReplicationMessage message) => message switch
        {
            RelationMessage relation => $"Relation {relation.ReplicaIdentity} {string.Join(' ', relation.Columns.Select(Mark))}",
            TypeMessage type => $"Type {type.Name[(type.Name.LastIndexOf('_') + 1)..]}",
            InsertMessage insert => $"Insert {await RowAsync(insert.NewRow)}",
            IndexUpdateMessage update => $"Update {await RowAsync(update.Key)} => {await RowAsync(update.NewRow)}",
            FullUpdateMessage update => $"Update {await RowAsync(update.OldRow)} => {await RowAsync(update.NewRow)}",
            UpdateMessage update => $"Update {await RowAsync(update.NewRow)}",
            KeyDeleteMessage delete => $"Delete {await RowAsync(delete.Key)}",
            FullDeleteMessage delete => $"Delete {await RowAsync(delete.OldRow)}",
            TruncateMessage truncate => $"Truncate {truncate.Options}",
            _ => message.ToString().Replace("Message", "", StringComparison.Ordinal),
        };

        static string Mark(RelationMessage.Column column) => column.ColumnName + (column.Flags != 0 ? "*" : "");

        async Task<string> RowAsync(ReplicationTuple row)
        {
            var text = new StringBuilder();
            await foreach (var value in row.WithCancellation(Token))
            {
                if (text.Length > 0)
                    text.Append(',');
                Assert.Equal(binary && !value.IsDBNull, value.Kind == TupleDataKind.BinaryValue);
                // Each value is read from text and from binary as the same .NET type.
                text.Append(value.IsDBNull ? "null" : value.GetFieldName() switch
                {
                    "id" => $"{await value.Get<int>(Token)}",
                    "n" => FormattableString.Invariant($"{await value.Get<decimal>(Token)}"),
                    "a" => string.Join('+', await value.Get<int[]>(Token)),
                    _ => await value.Get<string>(Token),
                });
            }

            return text.ToString();
        }
    }

    [Theory]
    [InlineData("FULL", "Relation AllColumns", typeof(FullUpdateMessage), typeof(FullDeleteMessage))]
    [InlineData("USING INDEX {0}_u", "Relation IndexWithIndIsReplIdent", typeof(IndexUpdateMessage), typeof(KeyDeleteMessage))]
    [InlineData("DEFAULT", "Relation Default", typeof(DefaultUpdateMessage), typeof(KeyDeleteMessage))]
    public async Task Replica_identities_decide_what_is_known_about_old_rows(string identity, string relation, Type update, Type delete)
    {
        await SetupAsync(
            "CREATE TABLE {0} (id int PRIMARY KEY, u int NOT NULL, big text)", "CREATE UNIQUE INDEX {0}_u ON {0} (u)",
            $"ALTER TABLE {{0}} REPLICA IDENTITY {identity}", "ALTER TABLE {0} ALTER COLUMN big SET STORAGE EXTERNAL");
        await using var connection = await OpenAsync();
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        await ExecuteAsync("INSERT INTO {0} VALUES (1, 2, repeat('x', 20000))", "UPDATE {0} SET u = 3", "DELETE FROM {0}");
        var seen = await CollectAsync(
            connection, slot, new PgOutputReplicationOptions(Publication, 1), static message => message is DeleteMessage,
            async message =>
            {
                if (message is UpdateMessage changed)
                {
                    var kinds = new List<TupleDataKind>();
                    await foreach (var value in changed.NewRow.WithCancellation(Token))
                        kinds.Add(value.Kind);
                    // With FULL, the unchanged value is in the old row.
                    Assert.Equal([TupleDataKind.TextValue, TupleDataKind.TextValue, TupleDataKind.UnchangedToastedValue], kinds);
                }

                if (message is FullUpdateMessage { OldRow: var old })
                {
                    var lengths = new List<int>();
                    await foreach (var value in old.WithCancellation(Token))
                        lengths.Add(value.Length);
                    Assert.Equal([1, 1, 20000], lengths);
                }

                return message is RelationMessage described ? $"Relation {described.ReplicaIdentity}" : message.GetType().Name;
            });
        Assert.Contains(relation, seen);
        Assert.Contains(update.Name, seen);
        Assert.Contains(delete.Name, seen);
    }

    [Theory]
    [InlineData(PgOutputStreamingMode.On)]
    [InlineData(PgOutputStreamingMode.Parallel)]
    public async Task Large_transactions_are_streamed_before_they_end(PgOutputStreamingMode mode)
    {
        var version = mode == PgOutputStreamingMode.Parallel ? PgOutputProtocolVersion.V4 : PgOutputProtocolVersion.V2;
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY, t text)");
        await using var connection = await OpenAsync("Options=-c logical_decoding_work_mem=64kB");
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        if (mode == PgOutputStreamingMode.Parallel && Kind == ServerKind.PostgreSql)
        {
            // PostgreSQL 15 has no version 4 of the protocol.
            await Assert.ThrowsAsync<PgException>(() => CollectAsync(
                connection, slot, new PgOutputReplicationOptions(Publication, version, null, mode), static _ => true, static _ => Task.FromResult("")));
            return;
        }

        const string Many = "INSERT INTO {0} SELECT i, repeat('x', 100) FROM generate_series({1}, {2}) i";
        await ExecuteAsync(
            "BEGIN", string.Format(null, Many, "{0}", 1, 5000), "SAVEPOINT s", string.Format(null, Many, "{0}", 5001, 10000), "ROLLBACK TO s",
            "COMMIT", "BEGIN", string.Format(null, Many, "{0}", 20001, 25000), "ROLLBACK", "INSERT INTO {0} VALUES (0, 'end')");
        var (rows, blocks, aborts, commits) = (0, 0, 0, 0);
        var isInBlock = false;
        await CollectAsync(
            connection, slot, new PgOutputReplicationOptions(Publication, version, null, mode), static message => message is CommitMessage,
            message =>
            {
                switch (message)
                {
                    case StreamStartMessage start:
                        Assert.False(isInBlock);
                        Assert.NotEqual(0U, start.TransactionXid);
                        isInBlock = true;
                        blocks++;
                        break;
                    case StreamStopMessage:
                        isInBlock = false;
                        break;
                    case InsertMessage insert:
                        Assert.Equal(isInBlock, insert.TransactionXid is not null);
                        rows++;
                        break;
                    case StreamAbortMessage abort:
                        Assert.Equal(mode == PgOutputStreamingMode.Parallel, abort is ParallelStreamAbortMessage { AbortTimestamp.Year: > 2020 });
                        aborts++;
                        break;
                    case StreamCommitMessage commit:
                        Assert.NotEqual(PgLogSequenceNumber.Invalid, commit.TransactionEndLsn);
                        commits++;
                        break;
                }

                return Task.FromResult("");
            });
        Assert.InRange(blocks, 2, int.MaxValue);
        Assert.InRange(aborts, 1, int.MaxValue);
        Assert.Equal(1, commits);
        Assert.InRange(rows, 5001, 15001);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Prepared_transactions_arrive_when_they_are_prepared(bool streamed)
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY, t text)");
        await using var connection = await OpenAsync(streamed ? "Options=-c logical_decoding_work_mem=64kB" : "");
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, twoPhase: true, cancellationToken: Token);
        var rows = streamed ? 5000 : 2;
        string Insert(int first) => $"INSERT INTO {{0}} SELECT i, repeat('x', 100) FROM generate_series({first}, {first + rows - 1}) i";
        await ExecuteAsync(
            "BEGIN", Insert(1), "PREPARE TRANSACTION '{0}_a'", "COMMIT PREPARED '{0}_a'", "BEGIN", Insert(10001), "PREPARE TRANSACTION '{0}_b'",
            "ROLLBACK PREPARED '{0}_b'");
        var seen = await CollectAsync(
            connection, slot,
            new PgOutputReplicationOptions(Publication, PgOutputProtocolVersion.V3, null, streamed ? PgOutputStreamingMode.On : null, null, true),
            static message => message is RollbackPreparedMessage,
            static message => Task.FromResult(message is PreparedTransactionControlMessage prepared
                ? $"{message.GetType().Name} {prepared.TransactionGid[^1]}"
                : ""));
        seen.RemoveAll(static one => one.Length == 0);
        // The server knows that the second one was rolled back, and may not stream it.
        Assert.Equal(
            [
                .. streamed ? ["StreamPrepareMessage a"] : (string[])["BeginPrepareMessage a", "PrepareMessage a"], "CommitPreparedMessage a",
                .. seen.Contains("StreamPrepareMessage b") ? ["StreamPrepareMessage b"] : (string[])["BeginPrepareMessage b", "PrepareMessage b"],
                "RollbackPreparedMessage b",
            ],
            seen);
    }

    [Fact]
    public async Task Messages_and_origins_arrive_if_they_are_wanted()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY)");
        await using var connection = await OpenAsync();
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        try
        {
            await ExecuteAsync(
                "SELECT pg_logical_emit_message(false, 'free', 'alone')", "SELECT pg_replication_origin_create('{0}_origin')",
                "SELECT pg_replication_origin_session_setup('{0}_origin')", "BEGIN", "SELECT pg_logical_emit_message(true, 'bound', 'with rows')",
                "INSERT INTO {0} VALUES (1)", "SELECT pg_replication_origin_xact_setup('0/1234', now())", "COMMIT",
                "SELECT pg_replication_origin_session_reset()");
            var seen = await CollectAsync(
                connection, slot, new PgOutputReplicationOptions(Publication, PgOutputProtocolVersion.V1, messages: true),
                static message => message is CommitMessage,
                async message => message switch
                {
                    LogicalDecodingMessage said =>
                        $"{said.Prefix} {said.Flags} {await new StreamReader(said.Data).ReadToEndAsync(Token)} "
                            + $"{said.MessageLsn != PgLogSequenceNumber.Invalid}",
                    OriginMessage origin => $"{origin.OriginName == Name + "_origin"} {origin.OriginCommitLsn}",
                    _ => "",
                });
            seen.RemoveAll(static one => one.Length == 0);
            Assert.Contains("free 0 alone True", seen);
            Assert.Contains("bound 1 with rows True", seen);
            Assert.Contains("True 0/1234", seen);
        }
        finally
        {
            await ExecuteAsync("SELECT pg_replication_origin_drop('{0}_origin')");
        }
    }

    [Fact]
    public async Task Test_decoding_writes_changes_as_text()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY, t text)");
        await using var connection = await OpenAsync();
        var slot = await connection.CreateTestDecodingReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        Assert.Equal("test_decoding", slot.OutputPlugin);
        await ExecuteAsync("INSERT INTO {0} VALUES (1, 'grüße')");
        var seen = new List<TestDecodingData>();
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Token);
        limit.CancelAfter(TimeSpan.FromSeconds(60));
        await foreach (var change in connection.StartReplication(slot, limit.Token, new TestDecodingOptions(includeXids: false, skipEmptyXacts: true)))
        {
            seen.Add(change.Clone());
            if (change.Data != "COMMIT")
                continue;
            if (seen.Any(one => one.Data.Contains(Name, StringComparison.Ordinal)))
                break;
            // The plug-in has no publication: another test's transaction.
            seen.Clear();
        }

        Assert.Equal(["BEGIN", $"table public.{Name}: INSERT: id[integer]:1 t[text]:'grüße'", "COMMIT"], seen.Select(static one => one.ToString()));
        Assert.All(seen, static one => Assert.NotEqual(default, one.ServerClock));
        Assert.Equal("logical", await connection.Show("wal_level", Token));
    }
}

public class ReplicationChangeOn18Tests : ReplicationChangeTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;

    [Fact]
    public async Task Types_that_are_mapped_for_every_connection_are_mapped_for_replication()
    {
        await SetupAsync("CREATE TYPE {0}_size AS (width int, height int)", "CREATE TABLE {0} (id int PRIMARY KEY, s {0}_size)");
        GlobalTypeMapper.Instance.MapComposite<Size>(Name + "_size");
        try
        {
            await using var connection = await OpenAsync();
            var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
            await ExecuteAsync("INSERT INTO {0} VALUES (1, (2, 3))");
            Size? found = null;
            var options = new PgOutputReplicationOptions(Publication, PgOutputProtocolVersion.V1, binary: true);
            await CollectAsync(
                connection, slot, options, static message => message is InsertMessage,
                async message =>
                {
                    if (message is InsertMessage insert)
                        await foreach (var value in insert.NewRow.WithCancellation(Token))
                            found = value.GetFieldName() == "s" ? await value.Get<Size>(Token) : found;
                    return "";
                });
            Assert.Equal((2, 3), (found!.Width, found.Height));
        }
        finally
        {
            GlobalTypeMapper.Instance.UnmapComposite<Size>(Name + "_size");
        }
    }

    private sealed class Size
    {
        public int Width { get; set; }

        public int Height { get; set; }
    }
}
