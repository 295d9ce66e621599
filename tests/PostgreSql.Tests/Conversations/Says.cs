using System.Buffers.Binary;
using System.Text;

namespace Slipstream.PostgreSql.Tests.Conversations;

/// <summary>The server's messages, in the form in which a server sends them.</summary>
internal static class Says
{
    public static byte[] AuthenticationOk => Message('R', [0, 0, 0, 0]);

    public static byte[] KeyData => Message('K', [0, 0, 0, 7, 1, 2, 3, 4]);

    public static byte[] ParseComplete => Message('1', []);

    public static byte[] BindComplete => Message('2', []);

    public static byte[] CloseComplete => Message('3', []);

    public static byte[] NoData => Message('n', []);

    public static byte[] EmptyQueryResponse => Message('I', []);

    public static byte[] Ready(char status = 'I') => Message('Z', [(byte)status]);

    public static byte[] Status(string name, string value) => Message('S', Encoding.UTF8.GetBytes($"{name}\0{value}\0"));

    public static byte[] Complete(string tag) => Message('C', Encoding.UTF8.GetBytes(tag + "\0"));

    public static byte[] Error(string sqlState, string message, string severity = "ERROR", string more = "") =>
        Message('E', Encoding.UTF8.GetBytes($"S{severity}\0V{severity}\0C{sqlState}\0M{message}\0{more}\0"));

    /// <summary>A prepared statement no longer exists (26000), or would now return other columns (0A000).</summary>
    public static byte[] Stale(string sqlState, string name) => sqlState == "26000"
        ? Error(sqlState, $"prepared statement \"{name}\" does not exist", more: "RFetchPreparedStatement\0")
        : Error(sqlState, "cached plan must not change result type", more: "RRevalidateCachedQuery\0");

    public static byte[] Notice(string message) => Message('N', Encoding.UTF8.GetBytes($"SNOTICE\0VNOTICE\0C00000\0M{message}\0\0"));

    /// <summary>Columns named c0, c1, … of the given types, all in one format.</summary>
    public static byte[] Columns(short format, params uint[] types)
    {
        var body = new List<byte> { 0, (byte)types.Length };
        for (var i = 0; i < types.Length; i++)
        {
            var oid = new byte[4];
            BinaryPrimitives.WriteUInt32BigEndian(oid, types[i]);
            body.AddRange([.. Encoding.UTF8.GetBytes($"c{i}"), 0, 0, 0, 0, 0, 0, 0, .. oid, 0, 4, 255, 255, 255, 255, 0, (byte)format]);
        }

        return Message('T', [.. body]);
    }

    public static byte[] Row(params byte[]?[] values)
    {
        var body = new List<byte> { 0, (byte)values.Length };
        foreach (var value in values)
        {
            var length = new byte[4];
            BinaryPrimitives.WriteInt32BigEndian(length, value?.Length ?? -1);
            body.AddRange([.. length, .. value ?? []]);
        }

        return Message('D', [.. body]);
    }

    public static byte[] TextRow(params string?[] values) => Row([.. values.Select(value => value is null ? null : Encoding.UTF8.GetBytes(value))]);

    public static byte[] Message(char type, byte[] body)
    {
        var message = new byte[5 + body.Length];
        message[0] = (byte)type;
        BinaryPrimitives.WriteInt32BigEndian(message.AsSpan(1), 4 + body.Length);
        body.CopyTo(message, 5);
        return message;
    }
}
