using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Splits the text of an array, a composite value or a range into its elements, and writes each as its length (−1 for NULL) and its text without quotes, as the
/// binary formats do. Source: PostgreSQL 18, 8.15.6 "Array Input and Output Syntax", 8.16.6 "Composite Type Input and Output Syntax", 8.17.5 "Range
/// Input/Output".
/// </summary>
internal static class NestedText
{
    /// <summary>Reads "{1,NULL,\"a b\"}" or "{{1,2},{3,4}}", with the subscripts "[0:1]=" before it if they do not begin at 1.</summary>
    /// <param name="text">The text.</param>
    /// <param name="delimiter">The character between elements: a semicolon for box, otherwise a comma.</param>
    /// <param name="elements">Receives the elements.</param>
    /// <param name="lengths">Receives the length of each dimension.</param>
    /// <returns>The number of dimensions; −1 if the text is something else.</returns>
    public static int Array(ReadOnlySpan<byte> text, byte delimiter, ByteWriter elements, Span<int> lengths)
    {
        if (text is [(byte)'[', ..])
        {
            var equals = text.IndexOf((byte)'=');
            if (equals < 0)
                return -1;
            text = text[(equals + 1)..];
        }

        if (text.SequenceEqual("{}"u8))
            return 0;
        var rank = text.IndexOfAnyExcept((byte)'{');
        if (rank <= 0 || rank > lengths.Length)
            return -1;
        Span<int> counts = stackalloc int[lengths.Length];
        lengths.Clear();
        counts.Clear();
        var depth = 0;
        for (var at = 0; at < text.Length;)
        {
            switch (text[at])
            {
                case (byte)'{' when depth < rank:
                    if (depth > 0)
                        counts[depth - 1]++;
                    depth++;
                    at++;
                    break;
                case (byte)'}' when depth > 0:
                    depth--;
                    // All sub-arrays of a dimension have the same length.
                    if (lengths[depth] != 0 && lengths[depth] != counts[depth])
                        return -1;
                    lengths[depth] = counts[depth];
                    counts[depth] = 0;
                    at++;
                    break;
                case var character when character == delimiter && depth > 0:
                    at++;
                    break;
                default:
                    if (depth != rank || !TakeElement(text, delimiter, (byte)'}', elements, ref at))
                        return -1;
                    counts[depth - 1]++;
                    break;
            }

            if (depth == 0)
                return at == text.Length ? rank : -1;
        }

        return -1;
    }

    /// <summary>Reads "(1,,\"a b\")". An empty field is NULL.</summary>
    /// <returns>The number of fields; −1 if the text is something else.</returns>
    public static int Record(ReadOnlySpan<byte> text, ByteWriter fields)
    {
        if (text is not [(byte)'(', .., (byte)')'])
            return -1;
        text = text[1..^1];
        if (text.IsEmpty)
            return 0;
        var count = 0;
        for (var at = 0; ;)
        {
            if (!TakeField(text, (byte)',', fields, ref at))
                return -1;
            count++;
            if (at == text.Length)
                return count;
            at++;
        }
    }

    /// <summary>Reads "[1,5)", "(,\"a b\"]" or "empty".</summary>
    /// <param name="text">The text.</param>
    /// <param name="bounds">Receives the bounds that are not infinite.</param>
    /// <param name="flags">The flags of the binary format.</param>
    /// <returns>False if the text is something else.</returns>
    public static bool Range(ReadOnlySpan<byte> text, ByteWriter bounds, out RangeFlags flags)
    {
        flags = RangeFlags.Empty;
        if (text.SequenceEqual("empty"u8))
            return true;
        if (text is not [(byte)'[' or (byte)'(', .., (byte)']' or (byte)')'])
            return false;
        flags = (text[0] == '[' ? RangeFlags.LowerInclusive : 0) | (text[^1] == ']' ? RangeFlags.UpperInclusive : 0);
        text = text[1..^1];
        var at = 0;
        flags |= text is [(byte)',', ..] ? RangeFlags.LowerInfinite : 0;
        if ((flags & RangeFlags.LowerInfinite) == 0 && !TakeField(text, (byte)',', bounds, ref at))
            return false;
        if (at == text.Length)
            return false;
        at++;
        if (at == text.Length)
        {
            flags |= RangeFlags.UpperInfinite;
            return true;
        }

        return TakeField(text, (byte)',', bounds, ref at) && at == text.Length;
    }

    /// <summary>Rewrites "{[1,3),[5,7)}" as an array of its ranges: {"[1,3)","[5,7)"}.</summary>
    /// <returns>False if the text is something else.</returns>
    public static bool MultirangeToArray(ReadOnlySpan<byte> text, ByteWriter array)
    {
        if (text is not [(byte)'{', .., (byte)'}'])
            return false;
        text = text[1..^1];
        array.Byte((byte)'{');
        while (!text.IsEmpty)
        {
            var end = EndOfRange(text);
            if (end < 0)
                return false;
            array.Byte((byte)'"');
            foreach (var character in text[..end])
            {
                if (character is (byte)'"' or (byte)'\\')
                    array.Byte((byte)'\\');
                array.Byte(character);
            }

            array.Byte((byte)'"');
            text = text[end..];
            if (text is [(byte)',', _, ..])
            {
                array.Byte((byte)',');
                text = text[1..];
            }
            else if (!text.IsEmpty)
                return false;
        }

        array.Byte((byte)'}');
        return true;
    }

    private static int EndOfRange(ReadOnlySpan<byte> text)
    {
        var isQuoted = false;
        for (var at = 0; at < text.Length; at++)
        {
            switch (text[at])
            {
                case (byte)'\\':
                    at++;
                    break;
                case (byte)'"':
                    isQuoted = !isQuoted;
                    break;
                case (byte)')' or (byte)']' when !isQuoted:
                    return at + 1;
            }
        }

        return -1;
    }

    // An element of an array. NULL without quotes is NULL.
    private static bool TakeElement(ReadOnlySpan<byte> text, byte delimiter, byte end, ByteWriter elements, ref int at)
    {
        if (text[at] == '"')
            return TakeQuoted(text, elements, ref at) && at < text.Length && (text[at] == delimiter || text[at] == end);
        var start = at;
        while (at < text.Length && text[at] != delimiter && text[at] != end)
            at += text[at] == '\\' ? 2 : 1;
        if (at >= text.Length || at == start)
            return false;
        var element = text[start..at];
        if (element.Length == 4 && System.Text.Ascii.EqualsIgnoreCase(element, "NULL"u8))
            elements.Int32BigEndian(-1);
        else
            Unescaped(element, elements);
        return true;
    }

    // A field of a composite value, or a bound of a range. Parts of it may have quotes, inside which a quote is doubled.
    private static bool TakeField(ReadOnlySpan<byte> text, byte delimiter, ByteWriter fields, ref int at)
    {
        if (at == text.Length || text[at] == delimiter)
        {
            fields.Int32BigEndian(-1);
            return true;
        }

        var start = NestedValue.Begin(fields);
        var isQuoted = false;
        for (; at < text.Length && (isQuoted || text[at] != delimiter); at++)
        {
            if (text[at] == '\\' && at + 1 < text.Length)
                fields.Byte(text[++at]);
            else if (text[at] != '"')
                fields.Byte(text[at]);
            else if (isQuoted && at + 1 < text.Length && text[at + 1] == '"')
                fields.Byte(text[++at]);
            else
                isQuoted = !isQuoted;
        }

        NestedValue.End(fields, start);
        return !isQuoted;
    }

    private static bool TakeQuoted(ReadOnlySpan<byte> text, ByteWriter elements, ref int at)
    {
        var start = NestedValue.Begin(elements);
        for (at++; at < text.Length && text[at] != '"'; at++)
        {
            if (text[at] == '\\' && ++at == text.Length)
                return false;
            elements.Byte(text[at]);
        }

        NestedValue.End(elements, start);
        at++;
        return at <= text.Length;
    }

    private static void Unescaped(ReadOnlySpan<byte> element, ByteWriter elements)
    {
        var start = NestedValue.Begin(elements);
        for (var i = 0; i < element.Length; i++)
            elements.Byte(element[i] == '\\' && i + 1 < element.Length ? element[++i] : element[i]);
        NestedValue.End(elements, start);
    }
}
