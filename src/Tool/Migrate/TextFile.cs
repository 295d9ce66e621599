using System.Text;

namespace Slipstream.Tool.Migrate;

/// <summary>A replacement in a text.</summary>
internal readonly record struct Edit(int Start, int Length, string Text)
{
    public int End => Start + Length;
}

/// <summary>
/// A text file that is changed only where an edit says so: encoding, byte order mark, line ends and everything else stay as they are.
/// </summary>
internal sealed class TextFile
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly Encoding _encoding;
    private readonly byte[] _preamble;
    private readonly int[] _lines;

    private TextFile(string path, string text, Encoding encoding, byte[] preamble)
    {
        (Path, Text, _encoding, _preamble) = (path, text, encoding, preamble);
        _lines = [0, .. Enumerable.Range(0, text.Length).Where(at => text[at] == '\n').Select(static at => at + 1)];
    }

    public string Path { get; }

    public string Text { get; }

    /// <summary>Gets the line end that the file uses first.</summary>
    public string NewLine => Text.IndexOf('\n', StringComparison.Ordinal) is var at && at > 0 && Text[at - 1] == '\r' ? "\r\n" : "\n";

    public static TextFile Read(string path)
    {
        var bytes = File.ReadAllBytes(path);
        foreach (var encoding in (Encoding[])[Encoding.UTF8, Encoding.Unicode, Encoding.BigEndianUnicode])
        {
            var preamble = encoding.GetPreamble();
            if (!bytes.AsSpan().StartsWith(preamble))
                continue;
            var text = encoding.GetString(bytes, preamble.Length, bytes.Length - preamble.Length);
            // Bytes that the mark does not promise would be lost.
            return encoding.GetByteCount(text) == bytes.Length - preamble.Length && bytes.AsSpan(preamble.Length).SequenceEqual(encoding.GetBytes(text))
                ? new TextFile(path, text, encoding, preamble)
                : new TextFile(path, Encoding.Latin1.GetString(bytes, preamble.Length, bytes.Length - preamble.Length), Encoding.Latin1, preamble);
        }

        try
        {
            return new TextFile(path, Strict.GetString(bytes), Strict, []);
        }
        catch (DecoderFallbackException)
        {
            // An encoding of one byte: Latin-1 gives every byte back as it was, whatever it means.
            return new TextFile(path, Encoding.Latin1.GetString(bytes), Encoding.Latin1, []);
        }
    }

    /// <summary>Returns the line and the column of a place, from 1 on.</summary>
    public (int Line, int Column) PlaceOf(int offset)
    {
        var line = Array.BinarySearch(_lines, offset);
        if (line < 0)
            line = ~line - 1;
        return (line + 1, offset - _lines[line] + 1);
    }

    /// <summary>Returns the offset of a line and a column, from 1 on.</summary>
    public int OffsetOf(int line, int column) => _lines[line - 1] + column - 1;

    /// <summary>Returns an edit that removes a span, with its line if nothing else is on it.</summary>
    public Edit Removal(int start, int end)
    {
        var from = start;
        while (from > 0 && Text[from - 1] is ' ' or '\t')
            from--;
        var to = end;
        while (to < Text.Length && Text[to] is ' ' or '\t')
            to++;
        var isWholeLine = (from == 0 || Text[from - 1] == '\n') && (to == Text.Length || Text[to] is '\r' or '\n');
        if (!isWholeLine)
            return new Edit(start, end - start, "");
        if (to < Text.Length && Text[to] == '\r')
            to++;
        if (to < Text.Length && Text[to] == '\n')
            to++;
        return new Edit(from, to - from, "");
    }

    /// <summary>Returns the text with these edits. None overlaps another; of two for the same place, one counts.</summary>
    public string With(IEnumerable<Edit> edits)
    {
        var text = new StringBuilder(Text);
        foreach (var edit in FromTheEnd(edits))
            text.Remove(edit.Start, edit.Length).Insert(edit.Start, edit.Text);
        return text.ToString();
    }

    /// <summary>Returns where a place is after these edits.</summary>
    public static int Moved(int offset, IEnumerable<Edit> edits) =>
        offset + FromTheEnd(edits).Where(edit => edit.End <= offset).Sum(static edit => edit.Text.Length - edit.Length);

    /// <summary>Returns the line and the column of a place in a text, from 1 on.</summary>
    public static (int Line, int Column) PlaceIn(string text, int offset)
    {
        var before = text.AsSpan(0, Math.Min(offset, text.Length));
        return (before.Count('\n') + 1, before.Length - before.LastIndexOf('\n'));
    }

    public void Write(string text)
    {
        // A new file in place of the old one: a run that is interrupted leaves one of the two, never a half.
        // A link stays one.
        var path = File.ResolveLinkTarget(Path, returnFinalTarget: true)?.FullName ?? Path;
        var temporary = path + ".slipstream-tmp";
        File.WriteAllBytes(temporary, [.. _preamble, .. _encoding.GetBytes(text)]);
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(temporary, File.GetUnixFileMode(path));
        File.Move(temporary, path, overwrite: true);
    }

    private static List<Edit> FromTheEnd(IEnumerable<Edit> edits)
    {
        var effective = new List<Edit>();
        var last = int.MaxValue;
        foreach (var edit in edits.Distinct().OrderByDescending(static edit => edit.Start).ThenByDescending(static edit => edit.Length))
        {
            if (edit.End > last)
                continue;
            effective.Add(edit);
            last = edit.Start;
        }

        return effective;
    }
}
