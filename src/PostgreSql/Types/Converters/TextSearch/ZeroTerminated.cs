using System.Text;

namespace Slipstream.PostgreSql.Types;

/// <summary>Reads and writes texts that end with a zero byte, inside a value.</summary>
internal static class ZeroTerminated
{
    /// <summary>Takes a text. Returns false if it has no end.</summary>
    public static bool TryTake(ref ReadOnlySpan<byte> rest, out string text)
    {
        var end = rest.IndexOf((byte)0);
        if (end < 0)
        {
            text = "";
            return false;
        }

        text = Encoding.UTF8.GetString(rest[..end]);
        rest = rest[(end + 1)..];
        return true;
    }

    /// <exception cref="ArgumentException">The text contains a zero character.</exception>
    public static void Write(ref PgValueWriter writer, string text)
    {
        writer.WriteText(text);
        writer.WriteByte(0);
    }
}
