using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace Slipstream.BadPeers.Peers;

/// <summary>
/// Messages of a MySQL or MariaDB server, written by hand from the protocol documents, without the provider's own encoders: a mistake there must not be
/// repeated here.
/// </summary>
public static class MySqlWords
{
    public const byte LongType = 3;
    public const byte StringType = 253;
    public const byte BlobType = 252;

    public const uint Tls = 0x800;

    /// <summary>The session number of a server's first connection.</summary>
    public const int FirstNumber = 7;

    /// <summary>
    /// The capabilities of MySQL 8 and later, without TLS, compression and session tracking: 4.1 protocol, plug-in authentication, no EOF packets, several
    /// statements and results.
    /// </summary>
    public const uint Capabilities =
        0x1 | 0x2 | 0x4 | 0x8 | 0x80 | 0x200 | 0x2000 | 0x8000 | 0x10000 | 0x20000 | 0x40000 | 0x80000 | 0x100000 | 0x200000 | 0x1000000;

    /// <summary>The 20 bytes of the challenge for password methods.</summary>
    public static byte[] Nonce => "abcdefghijklmnopqrst"u8.ToArray();

    /// <summary>payload_length (3) | sequence_id (1) | payload</summary>
    public static byte[] Packet(int sequence, params ReadOnlySpan<byte> payload) => [.. Header(payload.Length, sequence), .. payload];

    /// <summary>Creates only a header, correct or not.</summary>
    public static byte[] Header(int length, int sequence) => [(byte)length, (byte)(length >> 8), (byte)(length >> 16), (byte)sequence];

    public static byte[] Greeting(
        string plugin = "caching_sha2_password", uint capabilities = Capabilities, string version = "9.7.0-fake", int protocol = 10, int sequence = 0,
        byte ofMariaDb = 0, int id = FirstNumber) =>
        Packet(sequence, [
            (byte)protocol, .. Encoding.UTF8.GetBytes(version), 0,
            .. BitConverter.GetBytes(id),
            .. Nonce.AsSpan(0, 8), 0,
            (byte)capabilities, (byte)(capabilities >> 8), 45, 2, 0, (byte)(capabilities >> 16), (byte)(capabilities >> 24), 21,
            0, 0, 0, 0, 0, 0, ofMariaDb, 0, 0, 0,
            .. Nonce.AsSpan(8), 0,
            .. Encoding.UTF8.GetBytes(plugin), 0]);

    public static byte[] Ok(int sequence, int affected = 0, int status = 2, byte header = 0) =>
        Packet(sequence, [header, (byte)affected, 0, (byte)status, (byte)(status >> 8), 0, 0]);

    /// <summary>The end of a result set where EOF packets are deprecated.</summary>
    public static byte[] End(int sequence, int status = 2) => Ok(sequence, 0, status, 0xFE);

    public static byte[] Error(int sequence, int number, string message, string? state = "HY000") =>
        Packet(sequence, [0xFF, (byte)number, (byte)(number >> 8), .. Encoding.UTF8.GetBytes(state is null ? message : $"#{state}{message}")]);

    public static byte[] AuthSwitch(int sequence, string plugin, params ReadOnlySpan<byte> data) =>
        Packet(sequence, [0xFE, .. Encoding.UTF8.GetBytes(plugin), 0, .. data]);

    public static byte[] AuthMore(int sequence, params ReadOnlySpan<byte> data) => Packet(sequence, [1, .. data]);

    /// <summary>A result set's columns, all of one type, after their count.</summary>
    public static byte[] Columns(int sequence, byte type, params string[] names) =>
        [.. Packet(sequence, (byte)names.Length), .. names.SelectMany((name, i) => Column(sequence + 1 + i, name, type))];

    public static byte[] Column(int sequence, string name, byte type) => Packet(sequence, [
        .. Text("def"), .. Text(""), .. Text(""), .. Text(""), .. Text(name), .. Text(""),
        0x0C, type is BlobType or LongType ? (byte)63 : (byte)45, 0, 0xFF, 0, 0, 0, type, type is BlobType ? (byte)0x80 : (byte)0, 0, 0, 0, 0]);

    public static byte[] TextRow(int sequence, params string?[] values) =>
        Packet(sequence, values.SelectMany(static value => value is null ? [0xFB] : Text(value)).ToArray());

    /// <summary>A length-encoded string.</summary>
    public static byte[] Text(string value) => [(byte)value.Length, .. Encoding.UTF8.GetBytes(value)];

    /// <summary>A length-encoded integer in its longest form.</summary>
    public static byte[] Long(ulong value)
    {
        var bytes = new byte[9];
        bytes[0] = 0xFE;
        BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(1), value);
        return bytes;
    }

    /// <summary>Reads one whole packet of the client.</summary>
    public static (int Sequence, byte[] Payload) ReadPacket(this FakePeer peer)
    {
        var header = peer.Read(4);
        return (header[3], peer.Read(header[0] | header[1] << 8 | header[2] << 16));
    }

    /// <summary>Returns the first bytes of the commands that arrive in one piece.</summary>
    public static byte[] CommandsOfOneSegment(this FakePeer peer)
    {
        var segment = peer.ReadSegment();
        List<byte> commands = [];
        for (var at = 0; at + 4 < segment.Length; at += 4 + (segment[at] | segment[at + 1] << 8 | segment[at + 2] << 16))
            commands.Add(segment[at + 4]);
        return [.. commands];
    }

    /// <summary>Waits for a command, and fails the script if it is another one.</summary>
    public static byte[] Expect(this FakePeer peer, byte command)
    {
        var (sequence, payload) = peer.ReadPacket();
        if (sequence != 0 || payload[0] != command)
            throw new InvalidDataException($"Command 0x{command:X2} was expected, 0x{payload[0]:X2} with sequence number {sequence} came.");
        return payload;
    }

    /// <summary>Sends a greeting without TLS and accepts any client, like a server that has the password in its cache.</summary>
    public static void Welcome(this FakePeer peer, uint capabilities = Capabilities)
    {
        peer.Send(Greeting(capabilities: capabilities, id: FirstNumber + peer.Number));
        peer.ReadPacket();
        peer.Send([.. AuthMore(2, 3), .. Ok(3)]);
    }

    /// <summary>Waits for the KILL, and answers the query before it: the origins of the session to be killed and of the killer's own session.</summary>
    /// <param name="peer">The connection that sends the KILL.</param>
    /// <param name="host">The reported origin of the session to be killed; null for the truth, empty for none.</param>
    /// <param name="own">The killer's own number as the server knows it; 0 for the number of its greeting.</param>
    /// <param name="port">The killer's port as the server sees it; 0 for the truth.</param>
    public static string ExpectKill(this FakePeer peer, string? host = null, int own = 0, int port = 0)
    {
        var (_, question) = peer.ReadPacket();
        if (!peer.TryAnswerOrigin(question, host, own, port))
            throw new InvalidDataException($"'{Encoding.UTF8.GetString(question)}' came, and no question for the session's origin.");
        return Encoding.UTF8.GetString(peer.ReadPacket().Payload.AsSpan(1));
    }

    /// <summary>Answers a query for the origin of sessions, followed by other packets if there are any; returns false if it is another query.</summary>
    public static bool TryAnswerOrigin(this FakePeer peer, byte[] question, string? host = null, int own = 0, int port = 0, byte[]? behind = null)
    {
        var words = Encoding.UTF8.GetString(question);
        const string Before = "information_schema.PROCESSLIST WHERE ID IN (";
        var at = words.IndexOf(Before, StringComparison.Ordinal);
        if (at < 0)
            return false;
        var number = int.Parse(words[(at + Before.Length)..words.IndexOf(',', at)], CultureInfo.InvariantCulture);
        host ??= $"127.0.0.1:{peer.Server.Peers[number - FirstNumber].ClientPort}";
        own = own == 0 ? FirstNumber + peer.Number : own;
        byte[] asked = host.Length == 0 ? [] : TextRow(5, $"{number}", host, $"{own}");
        var sequence = host.Length == 0 ? 5 : 6;
        peer.Send([
            .. Packet(1, 3), .. Column(2, "ID", LongType), .. Column(3, "HOST", StringType), .. Column(4, "CONNECTION_ID()", LongType),
            .. asked, .. TextRow(sequence, $"{own}", $"127.0.0.1:{(port == 0 ? peer.ClientPort : port)}", $"{own}"), .. End(sequence + 1), .. behind ?? []]);
        return true;
    }

    /// <summary>Welcomes the client and waits for its query; the first query of a new session is sent alone.</summary>
    public static byte[] WelcomeQuery(this FakePeer peer, uint capabilities = Capabilities)
    {
        peer.Welcome(capabilities);
        return peer.Expect(3);
    }
}
