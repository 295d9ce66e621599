using System.Data.Common;
using System.IO.Pipes;
using System.Net.Sockets;
using Slipstream.Contract;
using Slipstream.Core.Wires;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Options;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Connections over streams from the application: socket streams, streams without known properties, and a named pipe.</summary>
public class StreamTransportTests
{
    public static TheoryData<ServerKind, bool, bool, bool> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, bool, bool, bool>();
            foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb11, ServerKind.PostgreSql])
                foreach (var tls in (bool[])[false, true])
                    foreach (var asynchronous in (bool[])[false, true])
                        ways.Add(kind, tls, asynchronous, kind != ServerKind.MySql);
            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_streams_bytes_are_as_good_as_a_sockets(ServerKind kind, bool tls, bool asynchronous, bool opaque)
    {
        var server = await LiveServers.GetAsync(kind);
        // After this the server has the account in its cache: before that, caching_sha2_password would request the password itself inside TLS that is not
        // verified.
        await using (var first = kind == ServerKind.MySql ? new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false")) : null)
            await (first?.OpenAsync() ?? Task.CompletedTask);
        var streams = new Streams(opaque);
        await using var source = Source(server, streams, tls ? kind.IsPostgreSql() ? "SSL Mode=Require" : "SSL Mode=Required" : "");
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        for (var i = 0; i < 3; i++)
        {
            await using var connection = await mode.Open(source);
            await using var command = connection.CreateCommand();
            command.CommandText = "SELECT REPEAT('abcdefgh', 200000), 7";
            await using var reader = await mode.Reader(command);
            Assert.True(await mode.Read(reader));
            Assert.Equal(1_600_000, reader.GetString(0).Length);
            Assert.Equal(7, Convert.ToInt32(reader.GetValue(1)));
            await mode.Close(reader);
        }

        Assert.Equal(1, streams.Made);
        Assert.Equal(asynchronous ? 1 : 0, streams.MadeAsynchronously);
    }

    [Theory]
    [InlineData(ServerKind.MySql, false)]
    [InlineData(ServerKind.MySql, true)]
    [InlineData(ServerKind.PostgreSql, true)]
    public async Task A_command_is_stopped_over_a_second_stream(ServerKind kind, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var streams = new Streams(opaque: true);
        await using var source = Source(server, streams, kind.PatientCancellation());
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = await mode.Open(source);
        await using var command = connection.CreateCommand();
        command.CommandText =
            kind.IsPostgreSql() ? "SELECT pg_sleep(20)" : "SELECT 1 FROM (SELECT 1 AS one UNION ALL SELECT 2) t WHERE SLEEP(10) = 0";
        command.CommandTimeout = 1;
        await Assert.ThrowsAnyAsync<DbException>(async () => await mode.Scalar(command));
        // The driver asks a server again if it takes long to stop.
        Assert.True(streams.Made >= 2, $"{streams.Made} streams");
        command.CommandText = "SELECT 5";
        Assert.Equal(5, Convert.ToInt32(await mode.Scalar(command)));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_silent_stream_ends_with_the_commands_time(bool asynchronous)
    {
        var server = await LiveServers.GetAsync(ServerKind.MySql);
        await using var proxy = LabProxy.Start(server.Host, server.Port);
        await using var source = Source(server, new Streams(opaque: true) { Port = proxy.Port }, "Cancellation Timeout=1");
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var connection = await mode.Open(source);
        proxy.Stalled = true;
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT 1";
        command.CommandTimeout = 1;
        var failure = await Assert.ThrowsAnyAsync<DbException>(async () => await mode.Scalar(command));
        Assert.Equal((int)MySqlErrorCode.CommandTimeoutExpired, ((MySqlException)failure).Number);
        Assert.Equal(System.Data.ConnectionState.Closed, connection.State);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_factory_that_hangs_or_fails_is_an_error_of_Open(bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        using var release = new ManualResetEventSlim();
        var late = new MemoryStream();
        await using var hanging = Builder("Connection Timeout=1").UseStreamFactory((_, _, _) =>
        {
            release.Wait(CancellationToken.None);
            return late;
        }).Build();
        var failure = await Assert.ThrowsAsync<MySqlException>(async () => await mode.Open(hanging));
        Assert.Equal(MySqlErrorCode.UnableToConnectToHost, failure.ErrorCode);
        Assert.Contains("db.example:3306", failure.Message);
        release.Set();
        // The driver disposes a stream that arrives too late.
        await Eventually.TrueAsync(() => !late.CanRead);

        await using var failing = Builder("").UseStreamFactory((host, port, _) => throw new InvalidDataException($"no tunnel to {host} {port}")).Build();
        failure = await Assert.ThrowsAsync<MySqlException>(async () => await mode.Open(failing));
        Assert.Contains("no tunnel to db.example 3306", failure.Message);

        await using var nothing = Builder("").UseStreamFactory((_, _, _) => null!, (_, _, _) => default).Build();
        failure = await Assert.ThrowsAsync<MySqlException>(async () => await mode.Open(nothing));
        Assert.Contains("did not return a stream", failure.Message);
    }

    [Fact]
    public async Task A_token_ends_a_factory_that_does_not_look_at_it()
    {
        await using var hanging = Builder("Connection Timeout=30").UseStreamFactory((_, _, _) => throw new NotSupportedException(), async (_, _, _) =>
        {
            await Task.Delay(Timeout.Infinite, CancellationToken.None);
            return Stream.Null;
        }).Build();
        using var source = new CancellationTokenSource(200);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await hanging.OpenConnectionAsync(source.Token));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_named_pipe_leads_to_a_server(bool asynchronous)
    {
        var server = await LiveServers.GetAsync(ServerKind.MariaDb);
        var name = $"slipstream-{Environment.ProcessId}-{asynchronous}";
        await using var pipe = new NamedPipeServerStream(name, PipeDirection.InOut, 1, PipeTransmissionMode.Byte, PipeOptions.Asynchronous);
        using var over = new CancellationTokenSource();
        var relay = Task.Run(async () =>
        {
            await pipe.WaitForConnectionAsync(over.Token);
            using var tcp = new TcpClient(server.Host, server.Port);
            await Task.WhenAny(pipe.CopyToAsync(tcp.GetStream(), over.Token), tcp.GetStream().CopyToAsync(pipe, over.Token));
        });
        await using var source = new MySqlDataSource(
            MySqlSettings.Parse(ConnectionStrings.MySql(server)), null, null, new StreamDialer(null, NamedPipes.Factory(".", name), PeerTrust.Loopback));
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using (var connection = await mode.Open(source))
        {
            await using var command = connection.CreateCommand();
            command.CommandText = "SELECT 42";
            Assert.Equal(42, Convert.ToInt32(await mode.Scalar(command)));
        }

        source.Clear();
        await over.CancelAsync();
        try
        {
            await relay;
        }
        catch (OperationCanceledException)
        {
            // This is the expected end.
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_named_pipe_that_nobody_serves_ends_with_the_time(bool asynchronous)
    {
        var settings = MySqlSettings.Parse("Server=x;User ID=nobody;SSL Mode=None;Connection Timeout=1");
        await using var source =
            new MySqlDataSource(settings, null, null, new StreamDialer(null, NamedPipes.Factory(".", "slipstream-nobody-is-there"), PeerTrust.Loopback));
        var failure = await Assert.ThrowsAsync<MySqlException>(async () => await (asynchronous ? Mode.Async : Mode.Sync).Open(source));
        Assert.Equal(MySqlErrorCode.UnableToConnectToHost, failure.ErrorCode);
    }

    private static MySqlDataSourceBuilder Builder(string options) => new($"Server=db.example;User ID=nobody;SSL Mode=None;{options}");

    private static DbDataSource Source(LabServer server, Streams streams, string options)
    {
        // No name service knows this host: only the factory can find it.
        var text = ConnectionStrings.Of(server, options).Replace($"={server.Host};", "=db.example;", StringComparison.Ordinal);
        streams.Server = server;
        return server.Kind.IsPostgreSql()
            ? new PgDataSourceBuilder(text).UseStreamFactory(streams.Connect, streams.ConnectAsync).Build()
            : new MySqlDataSourceBuilder(text).UseStreamFactory(streams.Connect, streams.ConnectAsync).Build();
    }

    private sealed class Streams(bool opaque)
    {
        private int _made;
        private int _madeAsynchronously;

        public LabServer Server { get; set; } = null!;

        public int Port { get; init; }

        public int Made => _made;

        public int MadeAsynchronously => _madeAsynchronously;

        private int Target => Port > 0 ? Port : Server.Port;

        public Stream Connect(string host, int port, CancellationToken token)
        {
            Assert.Equal("db.example", host);
            Interlocked.Increment(ref _made);
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.Connect(Server.Host, Target);
            return Wrap(socket);
        }

        public async ValueTask<Stream> ConnectAsync(string host, int port, CancellationToken token)
        {
            Interlocked.Increment(ref _made);
            Interlocked.Increment(ref _madeAsynchronously);
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync(Server.Host, Target, token);
            return Wrap(socket);
        }

        private Stream Wrap(Socket socket) => opaque ? new Opaque(new NetworkStream(socket, ownsSocket: true)) : new NetworkStream(socket, ownsSocket: true);
    }

    /// <summary>A stream without known properties, which can only be read and written.</summary>
    private sealed class Opaque(Stream inner) : Stream
    {
        public override bool CanRead => inner.CanRead;

        public override bool CanSeek => false;

        public override bool CanWrite => inner.CanWrite;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override void Flush() => inner.Flush();

        public override int Read(byte[] buffer, int offset, int count) => inner.Read(buffer, offset, count);

        public override void Write(byte[] buffer, int offset, int count) => inner.Write(buffer, offset, count);

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            inner.ReadAsync(buffer, cancellationToken);

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            inner.WriteAsync(buffer, cancellationToken);

        public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            inner.ReadAsync(buffer, offset, count, cancellationToken);

        public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            inner.WriteAsync(buffer, offset, count, cancellationToken);

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            if (disposing)
                inner.Dispose();
            base.Dispose(disposing);
        }
    }
}
