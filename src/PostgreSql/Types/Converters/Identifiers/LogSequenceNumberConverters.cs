using System.Buffers;
using System.Text;

namespace Slipstream.PostgreSql.Types;

/// <summary>Converts pg_lsn to and from <see cref="PgLogSequenceNumber"/>: 8 bytes. In text, "16/B374D848". Source: src/backend/utils/adt/pg_lsn.c.</summary>
internal sealed class LogSequenceNumberConverter : PgConverter<PgLogSequenceNumber>
{
    public override PgLogSequenceNumber Read(ref PgValueReader reader)
    {
        if (reader.IsBinary)
            return new(unchecked((ulong)reader.ReadInt64()));
        var text = reader.ReadRest();
        const int longest = 17;
        Span<char> characters = stackalloc char[longest];
        var position = PgLogSequenceNumber.Invalid;
        if (text.Length > longest || Ascii.ToUtf16(text, characters, out var length) != OperationStatus.Done
            || !PgLogSequenceNumber.TryParse(characters[..length], out position))
        {
            reader.Fail();
        }

        return position;
    }

    public override void Write(ref PgValueWriter writer, PgLogSequenceNumber value) => writer.WriteInt64(unchecked((long)(ulong)value));
}

/// <summary>Converts pg_lsn to and from the number of bytes from the beginning of the log.</summary>
internal sealed class LogOffsetConverter : PgConverter<ulong>
{
    private readonly LogSequenceNumberConverter _position = new();

    public override ulong Read(ref PgValueReader reader) => (ulong)_position.Read(ref reader);

    public override void Write(ref PgValueWriter writer, ulong value) => writer.WriteInt64(unchecked((long)value));
}
