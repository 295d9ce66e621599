using System.Text;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>LOAD DATA by <see cref="MySqlBulkLoader"/>: what it stores, and what it refuses.</summary>
public sealed class BulkLoaderTests
{
    private const string Allowed = "Allow Load Local Infile=true";

    public static TheoryData<ServerKind, bool> Ways =>
        new() { { ServerKind.MySql, false }, { ServerKind.MySql, true }, { ServerKind.MariaDb, false }, { ServerKind.MariaDb, true } };

    [Theory, MemberData(nameof(Ways))]
    public async Task A_stream_arrives_with_every_setting_obeyed(ServerKind kind, bool asynchronously)
    {
        await using var connection = await Open(kind, Allowed);
        await Execute(connection, "CREATE TEMPORARY TABLE loader_rows (a INT, b VARCHAR(50), c VARCHAR(50))");
        var loader = new MySqlBulkLoader(connection)
        {
            TableName = "loader_rows", CharacterSet = "utf8mb4", FieldTerminator = "';", FieldQuotationCharacter = '"', FieldQuotationOptional = true,
            EscapeCharacter = '\\',
            LinePrefix = "x:", LineTerminator = "|\r\n", NumberOfLinesToSkip = 1, Priority = MySqlBulkLoaderPriority.Concurrent,
            Columns = { "a", "@b", "c" }, Expressions = { "b = UPPER(@b)" },
            SourceStream = Rows("x:a';b';c|\r\nx:1';\"one\";x\"';näm\\|e|\r\nleft out|\r\nx:2';two';\\N|\r\n"),
        };
        Assert.Equal(2, asynchronously ? await loader.LoadAsync(TestContext.Current.CancellationToken) : loader.Load());
        Assert.Equal("1 ONE\";X näm|e,2 TWO -", await Text(connection, "SELECT CONCAT(a, ' ', b, ' ', COALESCE(c, '-')) FROM loader_rows ORDER BY a"));
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Many_packets_arrive_whole(ServerKind kind, bool asynchronously)
    {
        await using var connection = await Open(kind, Allowed);
        await Execute(connection, "CREATE TEMPORARY TABLE loader_many (a INT PRIMARY KEY, b VARCHAR(100))");
        var text = new StringBuilder();
        for (var i = 0; i < 30_000; i++)
            text.Append(i).Append('\t').Append("value of row ").Append(i).Append('\n');
        var loader = new MySqlBulkLoader(connection) { TableName = "loader_many", SourceStream = new Trickle(Encoding.UTF8.GetBytes(text.ToString())) };
        Assert.Equal(30_000, asynchronously ? await loader.LoadAsync() : loader.Load());
        Assert.Equal("449985000", await Text(connection, "SELECT SUM(a) FROM loader_many WHERE b = CONCAT('value of row ', a)"));
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task An_empty_stream_is_no_rows(ServerKind kind, bool asynchronously)
    {
        await using var connection = await Open(kind, Allowed);
        await Execute(connection, "CREATE TEMPORARY TABLE loader_none (a INT)");
        var loader = new MySqlBulkLoader(connection) { TableName = "loader_none", SourceStream = Stream.Null };
        Assert.Equal(0, asynchronously ? await loader.LoadAsync() : loader.Load());
        Assert.Equal("0", await Text(connection, "SELECT COUNT(*) FROM loader_none"));
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task A_row_whose_key_exists_is_replaced_or_left_out(ServerKind kind, bool asynchronously)
    {
        await using var connection = await Open(kind, Allowed);
        await Execute(connection, "CREATE TEMPORARY TABLE loader_keys (a INT PRIMARY KEY, b VARCHAR(9)); INSERT INTO loader_keys VALUES (1, 'old')");
        var loader = new MySqlBulkLoader(connection)
        {
            TableName = "loader_keys",
            ConflictOption = MySqlBulkLoaderConflictOption.Ignore,
            SourceStream = Rows("1\tnew\n2\ttwo\n")
        };
        Assert.Equal(1, asynchronously ? await loader.LoadAsync() : loader.Load());
        Assert.Equal("old,two", await Text(connection, "SELECT b FROM loader_keys ORDER BY a"));
        (loader.ConflictOption, loader.SourceStream) = (MySqlBulkLoaderConflictOption.Replace, Rows("1\tnew\n"));
        Assert.Equal(2, asynchronously ? await loader.LoadAsync() : loader.Load());
        Assert.Equal("new,two", await Text(connection, "SELECT b FROM loader_keys ORDER BY a"));
        loader.ConflictOption = MySqlBulkLoaderConflictOption.Update;
        Assert.Throws<NotSupportedException>(() => loader.Load());
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task A_closed_connection_is_open_only_while_it_loads(ServerKind kind, bool asynchronously)
    {
        var table = "loader_closed_" + (asynchronously ? "a" : "s");
        await using var connection = await Open(kind, Allowed);
        await Execute(connection, $"DROP TABLE IF EXISTS {table}; CREATE TABLE {table} (a INT)");
        try
        {
            await connection.CloseAsync();
            var loader = new MySqlBulkLoader(connection) { TableName = table, SourceStream = Rows("1\n2\n") };
            Assert.Equal(2, asynchronously ? await loader.LoadAsync() : loader.Load());
            Assert.Equal(System.Data.ConnectionState.Closed, connection.State);
        }
        finally
        {
            await connection.OpenAsync();
            await Execute(connection, $"DROP TABLE {table}");
        }
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task A_stream_that_fails_inserts_nothing_and_closes_the_connection(ServerKind kind, bool asynchronously)
    {
        var table = "loader_failing_" + (asynchronously ? "a" : "s");
        await using var connection = await Open(kind, Allowed);
        await Execute(connection, $"DROP TABLE IF EXISTS {table}; CREATE TABLE {table} (a INT)");
        try
        {
            var loader = new MySqlBulkLoader(connection) { TableName = table, SourceStream = new Trickle("1\n2\n3"u8.ToArray()) { Fails = true } };
            var failure =
                asynchronously ? await Assert.ThrowsAsync<MySqlException>(() => loader.LoadAsync()) : Assert.Throws<MySqlException>(() => loader.Load());
            Assert.IsType<IOException>(failure.InnerException);
            Assert.Equal(System.Data.ConnectionState.Closed, connection.State);
            await connection.OpenAsync();
            Assert.Equal("0", await Text(connection, $"SELECT COUNT(*) FROM {table}"));
        }
        finally
        {
            await Execute(connection, $"DROP TABLE {table}");
        }
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task A_cancelled_load_inserts_nothing(ServerKind kind, bool asynchronously)
    {
        var table = "loader_cancelled_" + (asynchronously ? "a" : "s");
        await using var connection = await Open(kind, Allowed);
        await Execute(connection, $"DROP TABLE IF EXISTS {table}; CREATE TABLE {table} (a INT)");
        try
        {
            using var cancellation = new CancellationTokenSource();
            var loader = new MySqlBulkLoader(connection) { TableName = table, Timeout = asynchronously ? 60 : 1 };
            if (asynchronously)
            {
                loader.SourceStream = new Trickle("1\n2\n3\n"u8.ToArray()) { BeforeEnd = cancellation.Cancel };
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => loader.LoadAsync(cancellation.Token));
            }
            else
            {
                // Longer than the time-out of a second.
                loader.SourceStream = new Trickle("1\n2\n3\n"u8.ToArray()) { BeforeEnd = static () => Thread.Sleep(2500) };
                Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, Assert.Throws<MySqlException>(() => loader.Load()).ErrorCode);
            }

            await connection.CloseAsync();
            await connection.OpenAsync();
            Assert.Equal("0", await Text(connection, $"SELECT COUNT(*) FROM {table}"));
        }
        finally
        {
            await Execute(connection, $"DROP TABLE {table}");
        }
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Only_files_below_the_allowed_directory_are_read(ServerKind kind, bool asynchronously)
    {
        var folder = Directory.CreateTempSubdirectory("slipstream-loader-");
        try
        {
            var inside = Directory.CreateDirectory(Path.Combine(folder.FullName, "in"));
            Directory.CreateDirectory(Path.Combine(folder.FullName, "inside"));
            await File.WriteAllTextAsync(Path.Combine(inside.FullName, "good.tsv"), "1\n2\n");
            await File.WriteAllTextAsync(Path.Combine(folder.FullName, "secret.tsv"), "3\n");
            await File.WriteAllTextAsync(Path.Combine(folder.FullName, "inside", "near.tsv"), "3\n");
            File.CreateSymbolicLink(Path.Combine(inside.FullName, "link.tsv"), Path.Combine(folder.FullName, "secret.tsv"));
            Directory.CreateSymbolicLink(Path.Combine(inside.FullName, "out"), folder.FullName);

            await using var connection = await Open(kind, $"Allow Load Local Infile In Path={inside.FullName}");
            await Execute(connection, "CREATE TEMPORARY TABLE loader_files (a INT)");
            var loader = new MySqlBulkLoader(connection) { TableName = "loader_files", FileName = Path.Combine(inside.FullName, "good.tsv") };
            Assert.Equal(2, asynchronously ? await loader.LoadAsync() : loader.Load());
            foreach (var outside in (string[])["../secret.tsv", "link.tsv", "out/secret.tsv", "../inside/near.tsv", "/etc/hostname"])
            {
                loader.FileName = Path.Combine(inside.FullName, outside);
                Assert.Contains("Allow Load Local Infile In Path", (await Refused<NotSupportedException>(loader, asynchronously)).Message);
            }

            loader.FileName = Path.Combine(inside.FullName, "missing.tsv");
            Assert.Equal(MySqlErrorCode.FileNotFound, (await Refused<MySqlException>(loader, asynchronously)).ErrorCode);
            // The allowed directory is for files: a stream needs its own permission.
            (loader.FileName, loader.SourceStream) = (null, Rows("1\n"));
            await Refused<NotSupportedException>(loader, asynchronously);
            Assert.Equal("2", await Text(connection, "SELECT COUNT(*) FROM loader_files"));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Without_permission_nothing_leaves(ServerKind kind, bool asynchronously)
    {
        await using var connection = await Open(kind);
        var loader = new MySqlBulkLoader(connection) { TableName = "loader_refused", SourceStream = Rows("1\n") };
        Assert.Contains("Allow Load Local Infile=true", (await Refused<NotSupportedException>(loader, asynchronously)).Message);
        (loader.FileName, loader.SourceStream) = ("/etc/hostname", null);
        Assert.Contains("Allow Load Local Infile In Path", (await Refused<NotSupportedException>(loader, asynchronously)).Message);
        await using var allowed = await Open(kind, Allowed);
        loader.Connection = allowed;
        Assert.Contains("Allow Load Local Infile In Path", (await Refused<NotSupportedException>(loader, asynchronously)).Message);
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task What_is_missing_or_too_much_is_said(ServerKind kind, bool asynchronously)
    {
        await using var connection = await Open(kind, Allowed);
        await Refused<InvalidOperationException>(new(null) { TableName = "t", FileName = "f" }, asynchronously);
        await Refused<InvalidOperationException>(new(connection) { FileName = "f" }, asynchronously);
        await Refused<InvalidOperationException>(new(connection) { TableName = "t" }, asynchronously);
        await Refused<InvalidOperationException>(new(connection) { TableName = "t", FileName = "f", SourceStream = Stream.Null }, asynchronously);
        await Refused<InvalidOperationException>(new(connection) { TableName = "t", Local = false, SourceStream = Stream.Null }, asynchronously);
        await Refused<InvalidOperationException>(new(connection) { TableName = "t", CharacterSet = "utf8 '", SourceStream = Stream.Null }, asynchronously);
        Assert.Throws<ArgumentOutOfRangeException>(() => new MySqlBulkLoader(connection) { Timeout = -1 });
        // The server's refusals leave the connection usable: an unknown table, an unknown file of the server.
        Assert.Equal(
            MySqlErrorCode.NoSuchTable,
            (await Refused<MySqlException>(new(connection) { TableName = "loader_no_table", SourceStream = Rows("1\n") }, asynchronously)).ErrorCode);
        await Execute(connection, "CREATE TEMPORARY TABLE loader_server (a INT)");
        await Refused<MySqlException>(new(connection) { TableName = "loader_server", Local = false, FileName = @"/no\where/it's" }, asynchronously);
        Assert.Equal("1", await Text(connection, "SELECT 1"));
    }

    private static async Task<TException> Refused<TException>(MySqlBulkLoader loader, bool asynchronously)
        where TException : Exception =>
            asynchronously ? await Assert.ThrowsAsync<TException>(() => loader.LoadAsync()) : Assert.Throws<TException>(() => loader.Load());

    private static MemoryStream Rows(string text) => new(Encoding.UTF8.GetBytes(text));

    private static async Task<MySqlConnection> Open(ServerKind kind, string more = "")
    {
        var server = await LiveServers.GetAsync(kind);
        var connection = new MySqlConnection(ConnectionStrings.MySql(server, more));
        await connection.OpenAsync();
        return connection;
    }

    private static async Task Execute(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }

    private static async Task<string> Text(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await using var reader = await command.ExecuteReaderAsync();
        var values = new List<string?>();
        while (await reader.ReadAsync())
            values.Add(Convert.ToString(reader.GetValue(0), System.Globalization.CultureInfo.InvariantCulture));
        return string.Join(',', values);
    }

    /// <summary>Returns pieces whose size matches no other size.</summary>
    private sealed class Trickle(byte[] content) : Stream
    {
        private int _at;

        public bool Fails { get; init; }

        public Action? BeforeEnd { get; init; }

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override int Read(Span<byte> buffer)
        {
            var read = Math.Min(Math.Min(buffer.Length, 7919), content.Length - _at);
            content.AsSpan(_at, read).CopyTo(buffer);
            _at += read;
            if (read > 0)
                return read;
            BeforeEnd?.Invoke();
            return Fails ? throw new IOException("the disk is gone") : 0;
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await Task.Yield();
            return Read(buffer.Span);
        }

        public override void Flush() => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
