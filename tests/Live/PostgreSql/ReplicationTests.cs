using System.Text;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Replication;
using Slipstream.PostgreSql.Replication.PgOutput;
using Slipstream.PostgreSql.Replication.PgOutput.Messages;
using Slipstream.PostgreSql.Replication.TestDecoding;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Logical and physical replication with a real server.</summary>
public class ReplicationTests
{
    private static int _names;

    // A slot's name has small letters, digits and underscores.
    private readonly string _name = $"repl_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";

    protected virtual ServerKind Kind => ServerKind.PostgreSql;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private string Slot => _name;

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
                    OriginMessage origin => $"{origin.OriginName == _name + "_origin"} {origin.OriginCommitLsn}",
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
            if (change.Data == "COMMIT")
                break;
        }

        Assert.Equal(["BEGIN", $"table public.{_name}: INSERT: id[integer]:1 t[text]:'grüße'", "COMMIT"], seen.Select(static one => one.ToString()));
        Assert.All(seen, static one => Assert.NotEqual(default, one.ServerClock));
        Assert.Equal("logical", await connection.Show("wal_level", Token));
    }

    [Fact]
    public async Task A_snapshot_shows_the_database_as_it_was()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY)", "INSERT INTO {0} VALUES (1)");
        await using var connection = await OpenAsync();
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, true, LogicalSlotSnapshotInitMode.Export, cancellationToken: Token);
        Assert.NotNull(slot.SnapshotName);
        await ExecuteAsync("INSERT INTO {0} VALUES (2)");
        await using (var reader = new PgConnection(await StringAsync()))
        {
            await reader.OpenAsync(Token);
            await using var transaction = await reader.BeginTransactionAsync(System.Data.IsolationLevel.RepeatableRead, Token);
            await using var use = new PgCommand($"SET TRANSACTION SNAPSHOT '{slot.SnapshotName}'", reader, transaction);
            await use.ExecuteNonQueryAsync(Token);
            await using var count = new PgCommand($"SELECT count(*) FROM {_name}", reader, transaction);
            Assert.Equal(1L, await count.ExecuteScalarAsync(Token));
        }

        await using var other = await OpenAsync();
        var without = await other.CreatePgOutputReplicationSlot(_name + "_n", true, LogicalSlotSnapshotInitMode.NoExport, cancellationToken: Token);
        Assert.Null(without.SnapshotName);
        // The snapshot can be used only inside of a transaction.
        await Assert.ThrowsAsync<PgException>(
            () => other.CreatePgOutputReplicationSlot(_name + "_u", true, LogicalSlotSnapshotInitMode.Use, cancellationToken: Token));
        Assert.Equal("logical", await other.Show("wal_level", Token));
    }

    [Fact]
    public async Task The_server_forgets_what_was_confirmed_and_sends_the_rest_again()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY)");
        var options = new PgOutputReplicationOptions(Publication, 1);
        try
        {
            var connection = await OpenAsync();
            var slot = await connection.CreatePgOutputReplicationSlot(Slot, cancellationToken: Token);
            await ExecuteAsync("INSERT INTO {0} VALUES (1)", "INSERT INTO {0} VALUES (2)", "INSERT INTO {0} VALUES (3)");
            var confirmed = PgLogSequenceNumber.Invalid;
            await using (connection)
            {
                await foreach (var message in Limited(connection.StartReplication(slot, options, Token)))
                {
                    if (message is not CommitMessage commit)
                        continue;
                    confirmed = commit.TransactionEndLsn;
                    connection.SetReplicationStatus(confirmed);
                    await connection.SendStatusUpdate(Token);
                    Assert.True(connection.LastReceivedLsn >= commit.CommitLsn);
                    break;
                }
            }

            await UntilAsync("SELECT NOT active FROM pg_replication_slots WHERE slot_name = '{0}'");
            Assert.Equal(confirmed.ToString(), await ScalarAsync($"SELECT confirmed_flush_lsn::text FROM pg_replication_slots WHERE slot_name = '{_name}'"));

            // A program that starts again knows only the name of the slot.
            await using var again = await OpenAsync();
            var rows = new List<int>();
            await foreach (var message in Limited(again.StartReplication(new PgOutputReplicationSlot(Slot), options, Token)))
            {
                if (message is InsertMessage insert)
                    await foreach (var value in insert.NewRow.WithCancellation(Token))
                        rows.Add(await value.Get<int>(Token));
                if (rows.Count == 2)
                    break;
            }

            Assert.Equal([2, 3], rows);
        }
        finally
        {
            await using var dropping = await OpenAsync();
            await dropping.DropReplicationSlot(Slot, wait: true, Token);
        }
    }

    [Fact]
    public async Task Status_updates_are_sent_while_the_application_is_busy_or_waits()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY)");
        await using var connection = await OpenAsync("Application Name=" + _name);
        connection.WalReceiverStatusInterval = TimeSpan.FromMilliseconds(200);
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        await ExecuteAsync("INSERT INTO {0} VALUES (1)");
        await using var messages = connection.StartReplication(slot, new PgOutputReplicationOptions(Publication, 1), Token).GetAsyncEnumerator(Token);
        Assert.True(await messages.MoveNextAsync());
        var begin = Assert.IsType<BeginMessage>(messages.Current);

        // The application does not read: the timer reports the location.
        connection.SetReplicationStatus(begin.TransactionFinalLsn);
        await UntilAsync($"SELECT flush_lsn = '{begin.TransactionFinalLsn}' FROM pg_stat_replication WHERE application_name = '{{0}}'");

        // It waits for the next message: another thread changes the location, and sends it.
        connection.WalReceiverStatusInterval = Timeout.InfiniteTimeSpan;
        while (messages.Current is not CommitMessage)
            Assert.True(await messages.MoveNextAsync());
        var end = ((CommitMessage)messages.Current).TransactionEndLsn;
        var next = messages.MoveNextAsync().AsTask();
        await Task.Delay(100, Token);
        connection.SetReplicationStatus(end);
        await connection.SendStatusUpdate(Token);
        await UntilAsync($"SELECT flush_lsn = '{end}' FROM pg_stat_replication WHERE application_name = '{{0}}'");
        Assert.False(next.IsCompleted);
        await ExecuteAsync("INSERT INTO {0} VALUES (2)");
        Assert.True(await next.WaitAsync(TimeSpan.FromSeconds(60), Token));
        await Assert.ThrowsAsync<PgOperationInProgressException>(() => connection.Show("wal_level", Token));
    }

    [Fact]
    public async Task A_busy_application_outlives_the_servers_timeout()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY)");
        await using var connection = await OpenAsync("Options=-c wal_sender_timeout=2s");
        connection.WalReceiverStatusInterval = TimeSpan.FromMilliseconds(500);
        connection.WalReceiverTimeout = TimeSpan.FromSeconds(2);
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        await ExecuteAsync("INSERT INTO {0} VALUES (1)");
        var seen = 0;
        await foreach (var message in Limited(connection.StartReplication(slot, new PgOutputReplicationOptions(Publication, 1), Token)))
        {
            if (++seen == 1)
                await Task.Delay(5000, Token);
            if (message is CommitMessage)
                break;
        }

        Assert.InRange(seen, 4, 10);
    }

    [Fact]
    public async Task A_cancelled_stream_ends_in_step_with_the_server()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY)");
        await using var connection = await OpenAsync();
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        using var cancellation = new CancellationTokenSource();
        var stream = connection.StartReplication(slot, new PgOutputReplicationOptions(Publication, 1), cancellation.Token);
        await using (var messages = stream.GetAsyncEnumerator(Token))
        {
            var waiting = messages.MoveNextAsync().AsTask();
            await Task.Delay(200, Token);
            Assert.False(waiting.IsCompleted);
            await cancellation.CancelAsync();
            var failure = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(TimeSpan.FromSeconds(60), Token));
            Assert.Equal(cancellation.Token, failure.CancellationToken);
        }

        // The session is the same one: the temporary slot still exists, and can be dropped.
        await Assert.ThrowsAsync<InvalidOperationException>(() => connection.SendStatusUpdate(Token));
        Assert.Equal("logical", await connection.Show("wal_level", Token));
        await connection.DropReplicationSlot(Slot, cancellationToken: Token);

        // PostgreSQL cannot stream a second time in this session. The driver says so instead of showing an empty stream.
        var second = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        await using var none = connection.StartReplication(second, new PgOutputReplicationOptions(Publication, 1), Token).GetAsyncEnumerator(Token);
        Assert.Contains("open another", (await Assert.ThrowsAsync<InvalidOperationException>(() => none.MoveNextAsync().AsTask())).Message);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connection.IdentifySystem(cancellation.Token));
    }

    [Fact]
    public async Task A_large_transaction_can_be_left_in_the_middle()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY, t text)");
        await using var connection = await OpenAsync();
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        await ExecuteAsync("INSERT INTO {0} SELECT i, repeat('x', 500) FROM generate_series(1, 50000) i");
        var rows = 0;
        await foreach (var message in Limited(connection.StartReplication(slot, new PgOutputReplicationOptions(Publication, 1), Token)))
            if (message is InsertMessage && ++rows == 10)
                break;
        // Either the server has ended the stream in time, or the session is closed. Nothing else is possible.
        try
        {
            Assert.Equal("logical", await connection.Show("wal_level", Token));
        }
        catch (InvalidOperationException)
        {
            await connection.Open(Token);
            Assert.Equal("logical", await connection.Show("wal_level", Token));
        }
    }

    [Fact]
    public async Task What_the_server_refuses_leaves_the_connection_usable()
    {
        await using var connection = await OpenAsync();
        var missing = connection.StartReplication(new PgOutputReplicationSlot("no_such_slot"), new PgOutputReplicationOptions("p", 1), Token);
        await using (var messages = missing.GetAsyncEnumerator(Token))
            Assert.Equal("42704", (await Assert.ThrowsAsync<PgException>(() => messages.MoveNextAsync().AsTask())).SqlState);
        Assert.Equal("42704", (await Assert.ThrowsAsync<PgException>(() => connection.DropReplicationSlot("no_such_slot", cancellationToken: Token))).SqlState);
        Assert.Equal("42602", (await Assert.ThrowsAsync<PgException>(
            () => connection.CreatePgOutputReplicationSlot("a b", cancellationToken: Token))).SqlState);
        Assert.Equal("42704", (await Assert.ThrowsAsync<PgException>(() => connection.Show("no_such_setting", Token))).SqlState);
        Assert.Equal("58P01", (await Assert.ThrowsAsync<PgException>(() => connection.TimelineHistory(77, Token))).SqlState);
        var slot = await connection.CreateTestDecodingReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        Assert.Equal("42710", (await Assert.ThrowsAsync<PgException>(
            () => connection.CreateTestDecodingReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token))).SqlState);
        Assert.Equal("logical", await connection.Show("wal_level", Token));
        Assert.Equal(Slot, slot.Name);
    }

    [Theory]
    [InlineData("")]
    [InlineData("SSL Mode=Require")]
    public async Task The_log_itself_can_be_streamed(string options)
    {
        await using var connection = new PhysicalReplicationConnection(await StringAsync(options));
        await connection.Open(Token);
        var system = await connection.IdentifySystem(Token);
        Assert.Equal((1U, null), (system.Timeline, system.DbName));
        Assert.NotEqual("", system.SystemId);
        Assert.Null(await connection.ReadReplicationSlot("no_such_slot", Token));
        var created = await connection.CreateReplicationSlot(Slot, isTemporary: true, reserveWal: true, Token);
        var slot = await connection.ReadReplicationSlot(created.Name, Token);
        Assert.Equal((Slot, 1U), (slot!.Name, slot.RestartTimeline));
        await ExecuteAsync("SELECT pg_logical_emit_message(false, 'find', '{0}')");

        // A session can stream the log several times.
        for (var i = 0; i < 2; i++)
        {
            var log = new MemoryStream();
            var needle = Encoding.ASCII.GetBytes("find\0" + _name);
            var at = slot.RestartLsn!.Value;
            await foreach (var message in Limited(i == 0 ? connection.StartReplication(slot, Token) : connection.StartReplication(at, Token, timeline: 1)))
            {
                Assert.Equal(at, message.WalStart);
                Assert.True(message.WalEnd >= message.WalStart);
                at += message.Data.Length;
                await message.Data.CopyToAsync(log, Token);
                connection.SetReplicationStatus(at);
                if (log.GetBuffer().AsSpan(0, (int)log.Length).IndexOf(needle) >= 0)
                    break;
            }

            Assert.True(log.Length > 0);
        }

        Assert.Equal("logical", await connection.Show("wal_level", Token));
        await connection.DropReplicationSlot(Slot, cancellationToken: Token);
        await using var future = connection.StartReplication(PgLogSequenceNumber.Parse("FFFFFF/0"), Token).GetAsyncEnumerator(Token);
        await Assert.ThrowsAsync<PgException>(() => future.MoveNextAsync().AsTask());
    }

    [Fact]
    public async Task A_connection_reports_its_session()
    {
        await using var connection = await OpenAsync();
        Assert.InRange(connection.PostgreSqlVersion.Major, 15, 30);
        Assert.StartsWith($"{connection.PostgreSqlVersion.Major}", connection.ServerVersion);
        Assert.Equal(Encoding.UTF8, connection.Encoding);
        Assert.Equal(1L, await ScalarAsync($"SELECT count(*) FROM pg_stat_activity WHERE pid = {connection.ProcessID} AND backend_type = 'walsender'"));
        Assert.Equal("slipstream", (await connection.IdentifySystem(Token)).DbName);
        Assert.DoesNotContain("assword", connection.ConnectionString);
        await Assert.ThrowsAsync<InvalidOperationException>(() => connection.Open(Token));
        Assert.Throws<InvalidOperationException>(() => connection.ConnectionString = "Host=h");
    }

    [Fact]
    public async Task A_killed_session_ends_the_stream_and_another_one_can_be_opened()
    {
        await SetupAsync("CREATE TABLE {0} (id int PRIMARY KEY)");
        await using var connection = await OpenAsync();
        var slot = await connection.CreatePgOutputReplicationSlot(Slot, temporarySlot: true, cancellationToken: Token);
        await using var messages = connection.StartReplication(slot, new PgOutputReplicationOptions(Publication, 1), Token).GetAsyncEnumerator(Token);
        var waiting = messages.MoveNextAsync().AsTask();
        await ScalarAsync($"SELECT pg_terminate_backend({connection.ProcessID})");
        await Assert.ThrowsAsync<PgException>(() => waiting.WaitAsync(TimeSpan.FromSeconds(60), Token));
        await Assert.ThrowsAsync<InvalidOperationException>(() => connection.SendStatusUpdate(Token));
        await connection.Open(Token);
        Assert.Equal("logical", await connection.Show("wal_level", Token));
    }

    // ---------------------------------------------------------------- helpers

    private string Publication => _name + "_p";

    private async Task<string> StringAsync(string options = "") => ConnectionStrings.PostgreSql(await LiveServers.GetAsync(Kind), options);

    private async Task<LogicalReplicationConnection> OpenAsync(string options = "")
    {
        var connection = new LogicalReplicationConnection(await StringAsync(options));
        await connection.Open(Token);
        return connection;
    }

    private Task SetupAsync(params string[] statements) => ExecuteAsync([.. statements, "CREATE PUBLICATION {0}_p FOR TABLE {0}"]);

    private async Task ExecuteAsync(params string[] statements)
    {
        await using var connection = new PgConnection(await StringAsync());
        await connection.OpenAsync(Token);
        foreach (var statement in statements)
        {
            await using var command = new PgCommand(string.Format(null, statement, _name), connection);
            await command.ExecuteNonQueryAsync(Token);
        }
    }

    private async Task<object?> ScalarAsync(string sql)
    {
        await using var connection = new PgConnection(await StringAsync());
        await connection.OpenAsync(Token);
        await using var command = new PgCommand(sql, connection);
        return await command.ExecuteScalarAsync(Token);
    }

    private async Task UntilAsync(string condition)
    {
        for (var i = 0; await ScalarAsync(string.Format(null, condition, _name)) is not true; i++)
        {
            Assert.True(i < 600, $"not true in time: {condition}");
            await Task.Delay(100, Token);
        }
    }

    private static async IAsyncEnumerable<T> Limited<T>(IAsyncEnumerable<T> messages)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Token);
        limit.CancelAfter(TimeSpan.FromSeconds(90));
        await foreach (var message in messages.WithCancellation(limit.Token))
            yield return message;
    }

    private static async Task<List<string>> CollectAsync(
        LogicalReplicationConnection connection, PgOutputReplicationSlot slot, PgOutputReplicationOptions options,
        Func<PgOutputReplicationMessage, bool> isLast, Func<PgOutputReplicationMessage, Task<string>> describe)
    {
        var seen = new List<string>();
        await foreach (var message in Limited(connection.StartReplication(slot, options, Token)))
        {
            seen.Add(await describe(message));
            if (isLast(message))
                break;
        }

        return seen;
    }
}

public class ReplicationOn18Tests : ReplicationTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}
