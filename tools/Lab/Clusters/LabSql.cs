using System.Buffers.Binary;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;

namespace Slipstream.Lab;

/// <summary>
/// Executes statements on a MySQL or MariaDB server through its socket file. It is independent of the drivers, because tests of the drivers use the lab.
/// </summary>
internal static class LabSql
{
    private const byte CachingSha2FullLogin = 4;

    /// <summary>
    /// CLIENT_LONG_PASSWORD, CLIENT_PROTOCOL_41, CLIENT_TRANSACTIONS, CLIENT_SECURE_CONNECTION, CLIENT_PLUGIN_AUTH: results end with EOF packets.
    /// </summary>
    private const uint Capabilities = 0x1 | 0x200 | 0x2000 | 0x8000 | 0x8_0000;

    /// <summary>Executes a statement. Returns the first row as values by the names of their columns, or null if there is none.</summary>
    /// <inheritdoc cref="Run"/>
    public static Dictionary<string, string?>? FirstRow(ServerSettings server, TimeSpan limit, string statement)
    {
        var (names, rows) = RunAll(server, limit, statement);
        return rows is [var first, ..] ? names.Zip(first).ToDictionary(static pair => pair.First, static pair => pair.Second) : null;
    }

    /// <summary>Executes statements one after the other in one session.</summary>
    /// <param name="server">The server. The statements run as its main user.</param>
    /// <param name="limit">The time limit of a statement. A server under SIGSTOP accepts connections, but does not answer.</param>
    /// <param name="statements">The statements.</param>
    /// <returns>The rows of the last statement.</returns>
    /// <exception cref="IOException">The server cannot be reached, or does not answer in time.</exception>
    /// <exception cref="InvalidOperationException">The server refused the login or a statement.</exception>
    public static List<string?[]> Run(ServerSettings server, TimeSpan limit, params ReadOnlySpan<string> statements) =>
        RunAll(server, limit, statements).Rows;

    private static (List<string> Names, List<string?[]> Rows) RunAll(ServerSettings server, TimeSpan limit, params ReadOnlySpan<string> statements)
    {
        try
        {
            using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            socket.ReceiveTimeout = socket.SendTimeout = (int)limit.TotalMilliseconds;
            socket.Connect(new UnixDomainSocketEndPoint(server.UnixSocket));
            using var stream = new NetworkStream(socket);
            LogIn(stream, server);
            (List<string>, List<string?[]>) result = ([], []);
            foreach (var statement in statements)
                result = Query(stream, statement);
            return result;
        }
        catch (SocketException e)
        {
            throw new IOException($"{server.UnixSocket}: {e.Message}", e);
        }
    }

    private static void LogIn(NetworkStream stream, ServerSettings server)
    {
        var (greeting, sequence) = Read(stream);
        ThrowIfError(greeting);
        // Version 10, the server's version, thread ID, nonce (8), filler, flags (2), character set, status, flags (2), length, reserved (10), nonce, method.
        var at = Array.IndexOf(greeting, (byte)0, 1) + 5;
        var rest = at + 8 + 1 + 2 + 1 + 2 + 2 + 1 + 10;
        byte[] nonce = [.. greeting.AsSpan(at, 8), .. greeting.AsSpan(rest, 12)];
        var method = Text(greeting.AsSpan(rest + 13));

        var login = new List<byte>();
        login.AddRange(stackalloc byte[32]);
        BinaryPrimitives.WriteUInt32LittleEndian(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(login), Capabilities);
        // utf8mb4_general_ci
        login[8] = 45;
        login.AddRange(Encoding.UTF8.GetBytes(server.User + '\0'));
        var answer = Answer(method, server.Password, nonce);
        login.Add((byte)answer.Length);
        login.AddRange(answer);
        login.AddRange(Encoding.UTF8.GetBytes(method + '\0'));
        Write(stream, [.. login], ++sequence);

        while (true)
        {
            (var packet, sequence) = Read(stream);
            switch (packet[0])
            {
                case 0:
                    return;
                case 0xFE:
                    var end = Array.IndexOf(packet, (byte)0, 1);
                    Write(stream, Answer(Text(packet.AsSpan(1)), server.Password, packet[(end + 1)..(end + 21)]), ++sequence);
                    break;
                // The server trusts the socket file as it trusts TLS, so the password may be sent as it is.
                case 1 when packet[1] == CachingSha2FullLogin:
                    Write(stream, Encoding.UTF8.GetBytes(server.Password + '\0'), ++sequence);
                    break;
                case 1:
                    break;
                default:
                    ThrowIfError(packet);
                    throw new IOException($"{server.UnixSocket}: unexpected answer 0x{packet[0]:x2} during the login");
            }
        }
    }

    private static (List<string> Names, List<string?[]> Rows) Query(NetworkStream stream, string statement)
    {
        Write(stream, [3, .. Encoding.UTF8.GetBytes(statement)], 0);
        var (head, _) = Read(stream);
        ThrowIfError(head, statement);
        var (names, rows) = (new List<string>(), new List<string?[]>());
        if (head[0] == 0)
            return (names, rows);
        var columns = head[0];
        for (var column = 0; column < columns; column++)
            names.Add(Name(Read(stream).Packet));
        Read(stream);
        while (true)
        {
            var (packet, _) = Read(stream);
            ThrowIfError(packet, statement);
            if (packet[0] == 0xFE && packet.Length < 9)
                return (names, rows);
            var row = new string?[columns];
            var at = 0;
            for (var column = 0; column < columns; column++)
                row[column] = Value(packet, ref at);
            rows.Add(row);
        }
    }

    // Catalogue, schema, table, original table, name.
    private static string Name(byte[] definition)
    {
        var at = 0;
        for (var before = 0; before < 4; before++)
            Value(definition, ref at);
        return Value(definition, ref at)!;
    }

    private static string? Value(byte[] packet, ref int at)
    {
        int length = packet[at++];
        switch (length)
        {
            case 0xFB:
                return null;
            case 0xFC:
                length = BinaryPrimitives.ReadUInt16LittleEndian(packet.AsSpan(at));
                at += 2;
                break;
            case 0xFD:
                length = packet[at] | (packet[at + 1] << 8) | (packet[at + 2] << 16);
                at += 3;
                break;
        }

        at += length;
        return Encoding.UTF8.GetString(packet, at - length, length);
    }

    private static byte[] Answer(string method, string password, byte[] nonce)
    {
        var text = Encoding.UTF8.GetBytes(password);
        if (method == "caching_sha2_password")
        {
            var once = SHA256.HashData(text);
            return Xor(once, SHA256.HashData([.. SHA256.HashData(SHA256.HashData(text)), .. nonce]));
        }

        return Xor(SHA1.HashData(text), SHA1.HashData([.. nonce, .. SHA1.HashData(SHA1.HashData(text))]));
    }

    private static byte[] Xor(byte[] left, byte[] right) => [.. left.Zip(right, static (one, other) => (byte)(one ^ other))];

    private static string Text(ReadOnlySpan<byte> bytes)
    {
        var end = bytes.IndexOf((byte)0);
        return Encoding.UTF8.GetString(end < 0 ? bytes : bytes[..end]);
    }

    private static void ThrowIfError(byte[] packet, string statement = "the login")
    {
        if (packet[0] != 0xFF)
            return;
        var number = BinaryPrimitives.ReadUInt16LittleEndian(packet.AsSpan(1));
        var text = Encoding.UTF8.GetString(packet.AsSpan(3));
        throw new InvalidOperationException($"The server refused {statement.Split(' ')[0]} with error {number}: {(text is ['#', ..] ? text[6..] : text)}");
    }

    private static (byte[] Packet, byte Sequence) Read(NetworkStream stream)
    {
        Span<byte> head = stackalloc byte[4];
        stream.ReadExactly(head);
        var packet = new byte[head[0] | (head[1] << 8) | (head[2] << 16)];
        stream.ReadExactly(packet);
        return (packet, head[3]);
    }

    private static void Write(NetworkStream stream, ReadOnlySpan<byte> payload, byte sequence)
    {
        byte[] packet = [(byte)payload.Length, (byte)(payload.Length >> 8), (byte)(payload.Length >> 16), sequence, .. payload];
        stream.Write(packet);
    }
}
