using System.Buffers.Binary;
using System.Text;

namespace Slipstream.BadPeers.Peers;

/// <summary>Messages of a PostgreSQL server, written by hand from the protocol's documentation, without the provider's own encoders.</summary>
public static class PgWords
{
    public const int SslRequestCode = 80877103;
    public const int CancelRequestCode = 80877102;
    public const int Int4 = 23;
    public const int TextOid = 25;

    /// <summary>type (1) | length (4), itself included | body</summary>
    public static byte[] Message(char type, params ReadOnlySpan<byte> body) => [.. Header(type, body.Length + 4), .. body];

    /// <summary>Creates only a header, correct or not.</summary>
    public static byte[] Header(char type, int length) => [(byte)type, .. Int32(length)];

    public static byte[] Int32(int value)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(bytes, value);
        return bytes;
    }

    public static byte[] Int16(int value) => [(byte)(value >> 8), (byte)value];

    public static byte[] Text(string value) => [.. Encoding.UTF8.GetBytes(value), 0];

    /// <summary>An Authentication… message: 0 Ok, 3 cleartext, 5 MD5, 10 SASL, 11 SASL continue, 12 SASL final.</summary>
    public static byte[] Authentication(int kind, params ReadOnlySpan<byte> body) => Message('R', [.. Int32(kind), .. body]);

    public static byte[] ParameterStatus(string name, string value) => Message('S', [.. Text(name), .. Text(value)]);

    public static byte[] Ready(char status = 'I') => Message('Z', (byte)status);

    public static byte[] ParseComplete => Message('1');

    public static byte[] BindComplete => Message('2');

    public static byte[] CommandComplete(string tag) => Message('C', Text(tag));

    public static byte[] Error(params (char Field, string Value)[] fields) =>
        Message('E', [.. fields.SelectMany(static field => (byte[])[(byte)field.Field, .. Text(field.Value)]), 0]);

    public static byte[] ParameterDescription(params int[] types) => Message('t', [.. Int16(types.Length), .. types.SelectMany(Int32)]);

    public static byte[] RowDescription(params (string Name, int Type)[] columns) => Message('T', [
        .. Int16(columns.Length),
        .. columns.SelectMany(
            static column =>
                (byte[])[.. Text(column.Name), 0, 0, 0, 0, 0, 0, .. Int32(column.Type), .. Int16(column.Type == Int4 ? 4 : -1), .. Int32(-1), 0, 0])]);

    public static byte[] DataRow(params byte[]?[] values) => Message('D', [
        .. Int16(values.Length),
        .. values.SelectMany(static value => value is null ? Int32(-1) : [.. Int32(value.Length), .. value])]);

    /// <summary>AuthenticationOk, the server's settings, its cancellation key, ReadyForQuery.</summary>
    public static byte[] LoginSuccess => [
        .. Authentication(0),
        .. ParameterStatus("server_version", "18.0"),
        .. ParameterStatus("server_encoding", "UTF8"),
        .. ParameterStatus("client_encoding", "UTF8"),
        .. ParameterStatus("integer_datetimes", "on"),
        .. ParameterStatus("standard_conforming_strings", "on"),
        .. Message('K', [.. Int32(7), .. Int32(99)]),
        .. Ready()];

    /// <summary>StartupMessage, SSLRequest or CancelRequest: a length, then a code.</summary>
    public static (int Code, byte[] Body) ReadStartup(this FakePeer peer)
    {
        var length = BinaryPrimitives.ReadInt32BigEndian(peer.Read(4));
        if (length is < 8 or > 10_000)
            throw new InvalidDataException($"A start-up message of {length} bytes came.");
        var message = peer.Read(length - 4);
        return (BinaryPrimitives.ReadInt32BigEndian(message), message[4..]);
    }

    /// <summary>Waits for an SSLRequest; fails the script if something else comes.</summary>
    public static void ExpectSslRequest(this FakePeer peer)
    {
        if (peer.ReadStartup().Code is var code and not SslRequestCode)
            throw new InvalidDataException($"SSLRequest was expected, code {code} came.");
    }

    public static (char Type, byte[] Body) ReadMessage(this FakePeer peer)
    {
        var header = peer.Read(5);
        return ((char)header[0], peer.Read(BinaryPrimitives.ReadInt32BigEndian(header.AsSpan(1)) - 4));
    }

    /// <summary>Reads everything up to Sync or Query, and returns the types.</summary>
    public static string ReadToSync(this FakePeer peer)
    {
        var types = new StringBuilder();
        while (true)
        {
            var (type, _) = peer.ReadMessage();
            types.Append(type);
            if (type is 'S' or 'Q')
                return types.ToString();
        }
    }

    /// <summary>Declines TLS if the client requests it, and accepts any client.</summary>
    /// <param name="peer">The server.</param>
    /// <param name="settings">What it reports about itself.</param>
    public static void WelcomePg(this FakePeer peer, params (string Name, string Value)[] settings)
    {
        peer.ReadStartupWithoutTls();
        var accepted = Authentication(0).Length;
        peer.Send(
            [.. LoginSuccess[..accepted], .. settings.SelectMany(static one => ParameterStatus(one.Name, one.Value)), .. LoginSuccess[accepted..]]);
    }

    /// <summary>Reads the StartupMessage; declines an SSLRequest before it.</summary>
    public static byte[] ReadStartupWithoutTls(this FakePeer peer)
    {
        var (code, body) = peer.ReadStartup();
        if (code != SslRequestCode)
            return body;
        peer.Send((byte)'N');
        return peer.ReadStartup().Body;
    }
}
