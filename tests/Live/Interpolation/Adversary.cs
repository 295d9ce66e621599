using System.Text;

namespace Slipstream.Live.Interpolation;

/// <summary>
/// Values that try to break out of their literal: every short combination of special characters, the same at the borders of buffers, and random mixtures.
/// </summary>
internal sealed class Adversary(int seed, bool withNul)
{
    private static readonly string[] Pieces =
    [
        "'", "'", "\"", "`", "\\", "\\", "\\'", "''", "\\\\", "\\\"", "\0", "\x1A", "\n", "\r", "\t", "\b", "*/", "/*", "/*!", "-- ", "--", "#", ";", "%", "_",
        "$$", "$1", "$a$", "?", "@p0", ":p0", "@@version",
        "😀", "ä", "中", "\u8AA0", "\u7E17", "\u00BF", "\u00BF'", "中\\'", "\u2028", "\u0301", " ", "a", "NULL", "0x41", "X'", "_binary'", "\x7F", "\u00A0",
        "\uFFFD", "\uFFFE", "\\0", "\\Z", "\\%", " OR 1=1 -- ", "');DROP TABLE x;--",
        "\uD83D", "\uDE00", "E'", "N'", "\u02BC", "\uFF07",
    ];

    private readonly Random _random = new(seed);

    /// <summary>Up to 16 pieces, or a repeated piece whose end is near a border.</summary>
    public string Text()
    {
        var text = new StringBuilder();
        if (_random.Next(60) == 0)
            text.Append('x', Border());
        for (var count = _random.Next(17); count > 0; count--)
            text.Append(Pieces[_random.Next(Pieces.Length)]);
        return withNul ? text.ToString() : text.Replace("\0", "").ToString();
    }

    /// <summary>Random bytes, or the bytes of a text, cut anywhere.</summary>
    public byte[] Bytes()
    {
        var bytes = Encoding.UTF8.GetBytes(Text());
        if (_random.Next(2) == 0)
            return bytes[..(bytes.Length - (bytes.Length > 3 ? _random.Next(4) : 0))];
        var random = new byte[_random.Next(40)];
        _random.NextBytes(random);
        // Lead bytes of multi-byte character sets before the escaped form of a quote or a backslash.
        for (var i = 0; i + 1 < random.Length; i += 3)
            (random[i], random[i + 1]) = ((byte)(0x81 + _random.Next(0x7E)), _random.Next(2) == 0 ? (byte)'\\' : (byte)'\'');
        return random;
    }

    /// <summary>Returns every text of up to four of these pieces.</summary>
    public static IEnumerable<string> ShortTexts()
    {
        IEnumerable<string> texts = [""];
        for (var length = 0; length < 4; length++)
        {
            texts = texts.SelectMany(static text => (string[])[text + "'", text + "\\", text + "\"", text + "中"]).ToArray();
            foreach (var text in texts)
                yield return text;
        }
    }

    /// <summary>Special characters around the sizes of stack buffers, of the writer's blocks and of its segments.</summary>
    public static IEnumerable<string> TextsAtBorders()
    {
        foreach (var border in (int[])[16, 64, 128, 256, 512, 1024, 4096])
        {
            for (var offset = -3; offset <= 1; offset++)
            {
                foreach (var mark in (string[])["'", "\\", "\\'", "😀"])
                    yield return new string('x', border + offset) + mark;
            }
        }

        foreach (var border in (int[])[8192, 16384, 65536])
            yield return new string('\'', border - 1) + "\\😀'";
    }

    private int Border() => (1 << _random.Next(4, 13)) - _random.Next(6);
}
