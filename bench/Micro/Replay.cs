using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Options;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.Statements;

namespace Slipstream.Micro;

/// <summary>The provider's own session and exchange, with bytes from memory: the code under a data reader, without a server and without waiting.</summary>
internal sealed class Replay
{
    private const string Sql = "select * from integers a join integers b join integers c";

    private readonly MySqlSessionOpener _opener = new(MySqlSettings.Parse("Server=localhost;SslMode=None"));
    private readonly MemoryTransport _transport = new();
    private readonly MySqlStatement _statement = new(Sql);
    private readonly PreparedStatement _prepared = new(1, 0, null, SqlScanner.Scan(Sql, QuotingRules.None));
    private readonly Wire _wire;
    private readonly CommandExchange _exchange;
    private readonly MySqlRow _row;

    public Replay()
    {
        _wire = new Wire(_transport);
        var connect = new Connect(new ConnectOptions("user", [], "", TlsDemand.Never), _transport);
        _transport.Next = Greeting();
        _transport.Then = [7, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0];
        if (BlockingPump.Run(connect, _wire) != Step.Completed)
            throw new InvalidOperationException("the login did not end");
        var limits = new RowLimits(1 << 30, 1 << 30);
        _exchange = new MySqlSession(_wire, new Endpoint("localhost", 3306), connect, _opener, CodecSettings.Default, "", limits).Results;
        _row = _exchange.OwnRow;
    }

    /// <summary>Steps through the rows without reading values.</summary>
    public long Walk(byte[] transcript, bool binary)
    {
        Begin(transcript, binary);
        var rows = 0;
        while (Advance() == Step.Row)
            rows++;
        return rows;
    }

    /// <summary>Reads all three columns of every row through the typed getter, as a data reader does.</summary>
    public long Sum(byte[] transcript, bool binary)
    {
        Begin(transcript, binary);
        var sum = 0L;
        while (Advance() == Step.Row)
            sum += _row.GetInt32(0) + _row.GetInt32(1) + _row.GetInt32(2);
        return sum;
    }

    private void Begin(byte[] transcript, bool binary)
    {
        _transport.Next = transcript;
        if (binary)
            _exchange.BeginExecute(_statement, _prepared, length: 0, Goal.Rows, null, streams: false);
        else
            _exchange.BeginQuery(_statement, length: 0, Goal.Rows, null, streams: false);
        if (Advance() != Step.Metadata)
            throw new InvalidOperationException("the transcript does not begin with columns");
    }

    // The pump's loop for the only event that this exchange waits for.
    private Step Advance()
    {
        while (true)
        {
            var step = _exchange.Advance(_wire);
            if (step != Step.Receive)
                return step;
            _wire.Advance(_transport.Receive(_wire.FreeSpan()));
        }
    }

    // HandshakeV10 of a MySQL server with the capabilities of the recorded session and mysql_native_password.
    private static byte[] Greeting()
    {
        // PROTOCOL_41, SECURE_CONNECTION, PLUGIN_AUTH, DEPRECATE_EOF, LONG_PASSWORD (which MariaDB lacks)
        var offered = (uint)(0x0200 | 0x8000 | 0x80000 | 0x1000000 | 1);
        var writer = new ByteWriter();
        writer.Bytes([0, 0, 0, 0, 10, .. "9.7.4\0"u8, 1, 0, 0, 0, .. "12345678"u8, 0]);
        writer.Bytes([(byte)offered, (byte)(offered >> 8), 45, 2, 0, (byte)(offered >> 16), (byte)(offered >> 24), 21]);
        writer.Bytes([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, .. "123456789012"u8, 0, .. "mysql_native_password\0"u8]);
        var packet = writer.Written.ToArray();
        packet[0] = (byte)(packet.Length - 4);
        return packet;
    }

    /// <summary>Receives each given message once, and discards what is sent.</summary>
    private sealed class MemoryTransport : ITransport
    {
        public byte[] Next { get; set; } = [];

        public byte[] Then { get; set; } = [];

        public bool IsReadable => false;

        public bool HasWaitedAsynchronously => false;

        public PeerTrust Trust => PeerTrust.Loopback;

        public string Peer => "memory";

        public int Receive(Span<byte> room)
        {
            var bytes = Next;
            bytes.CopyTo(room);
            (Next, Then) = (Then, []);
            return bytes.Length;
        }

        public void Send(ReadOnlySpan<byte> bytes) { }

        public ValueTask<int> ReceiveAsync(Memory<byte> room) => ValueTask.FromResult(Receive(room.Span));

        public ValueTask SendAsync(ReadOnlyMemory<byte> bytes) => ValueTask.CompletedTask;

        public ITransport Upgrade() => throw new NotSupportedException();

        public ValueTask<ITransport> UpgradeAsync() => throw new NotSupportedException();

        public void Shutdown() { }

        public void Dispose() { }
    }
}
