using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Commands;

/// <summary>
/// Creates a portal: a prepared statement with values for its parameters and a format for each column of its result.
/// One format applies to all parameters or columns; no format means text for all. A value length of −1 means NULL.
/// <code>
/// 'B' | length (int32) | portal\0 | statement\0
///     | count (int16) | { parameter_format (int16) }…
///     | count (int16) | { length (int32) | value… }…
///     | count (int16) | { result_format (int16) }…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Bind.
/// </summary>
/// <remarks>Bind is written in three parts, so that values go directly from the caller's variables to the writer.</remarks>
internal static class Bind
{
    /// <summary>The most parameters. The server reads the counts as unsigned 16-bit numbers, although the document says Int16.</summary>
    public const int MaxParameters = ushort.MaxValue;

    public const short Text = 0;
    public const short Binary = 1;

    /// <summary>
    /// Writes the header, the unnamed portal, the statement, and the formats of <paramref name="parameters"/> values, all binary. The values follow, then the
    /// result formats.
    /// </summary>
    public static int Begin(ByteWriter writer, ReadOnlySpan<byte> statement, int parameters)
    {
        var start = writer.Begin((byte)'B');
        writer.Byte(0);
        writer.Bytes(statement);
        writer.Byte(0);
        if (parameters == 0)
            writer.Int16BigEndian(0);
        else
        {
            writer.Int16BigEndian(1);
            writer.Int16BigEndian(Binary);
        }

        writer.Int16BigEndian(Count(parameters));
        return start;
    }

    /// <summary>Begins a Bind with a format for each parameter. Parameters whose type the server infers are text.</summary>
    public static int Begin(ByteWriter writer, ReadOnlySpan<byte> statement, ReadOnlySpan<short> formats)
    {
        var start = writer.Begin((byte)'B');
        writer.Byte(0);
        writer.Bytes(statement);
        writer.Byte(0);
        writer.Int16BigEndian(Count(formats.Length));
        foreach (var format in formats)
            writer.Int16BigEndian(format);
        writer.Int16BigEndian(Count(formats.Length));
        return start;
    }

    /// <summary>Writes NULL as the next value.</summary>
    public static void Null(ByteWriter writer) => writer.Int32BigEndian(-1);

    /// <summary>Ends the Bind with the same format for every column of the result.</summary>
    public static void End(ByteWriter writer, int start, short resultFormat)
    {
        writer.Int16BigEndian(1);
        writer.Int16BigEndian(resultFormat);
        writer.End(start);
    }

    /// <summary>Ends the Bind with a format for each column of the result.</summary>
    public static void End(ByteWriter writer, int start, ReadOnlySpan<short> resultFormats)
    {
        writer.Int16BigEndian(Count(resultFormats.Length));
        foreach (var format in resultFormats)
            writer.Int16BigEndian(format);
        writer.End(start);
    }

    /// <summary>Writes the same Bind for another statement, with text for every column of the result.</summary>
    /// <param name="writer">The writer to write to.</param>
    /// <param name="bind">A Bind for <paramref name="statement"/> up to its result formats.</param>
    /// <param name="statement">The name in this Bind.</param>
    /// <param name="other">The name that replaces it.</param>
    public static void Again(ByteWriter writer, ReadOnlySpan<byte> bind, ReadOnlySpan<byte> statement, ReadOnlySpan<byte> other)
    {
        var start = writer.Begin((byte)'B');
        writer.Byte(0);
        writer.Bytes(other);
        writer.Bytes(bind[(Frame.HeaderLength + 1 + statement.Length)..]);
        End(writer, start, Text);
    }

    /// <exception cref="InvalidOperationException">There are more parameters than the protocol can count.</exception>
    internal static short Count(int count) => count <= MaxParameters
        ? unchecked((short)count)
        : throw new InvalidOperationException($"The command has {count:N0} parameters, but the PostgreSQL protocol allows at most {MaxParameters:N0}. Split "
            + "the command, or pass arrays with unnest.");
}
