using System.Buffers.Binary;
using System.Text;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Converts tsvector to and from <see cref="PgTsVector"/>:
/// <code>
/// number of lexemes (int32) | for each: text, zero byte | number of positions (uint16) | positions (uint16: two bits of weight, 14 bits of position)
/// </code>
/// In text, "'cat':3 'fat':2,4A". Source: src/backend/utils/adt/tsvector.c, tsvectorsend.
/// </summary>
internal sealed class TsVectorConverter : PgConverter<PgTsVector>
{
    // The zero byte and the number of positions.
    private const int SmallestLexeme = 3;

    public override PgTsVector Read(ref PgValueReader reader)
    {
        if (!reader.IsBinary)
        {
            if (!TsVectorText.TryParse(reader.ReadText(), out var parsed))
                reader.Fail();
            return parsed!;
        }

        var count = reader.ReadInt32();
        if (count < 0 || count > reader.Remaining / SmallestLexeme)
            reader.Fail();
        var rest = reader.ReadRest();
        var lexemes = new List<PgTsVector.Lexeme>(count);
        for (; count > 0; count--)
        {
            if (!ZeroTerminated.TryTake(ref rest, out var text) || !TryTakePositions(ref rest, out var positions))
                reader.Fail();
            else
                lexemes.Add(new(text, positions));
        }

        if (!rest.IsEmpty)
            reader.Fail();
        return PgTsVector.Of(lexemes);
    }

    public override void Write(ref PgValueWriter writer, PgTsVector value)
    {
        writer.WriteInt32(value.Count);
        foreach (var lexeme in value)
        {
            ZeroTerminated.Write(ref writer, lexeme.Text);
            writer.WriteInt16((short)lexeme.Count);
            for (var at = 0; at < lexeme.Count; at++)
                writer.WriteInt16(unchecked((short)lexeme[at].Value));
        }
    }

    private static bool TryTakePositions(ref ReadOnlySpan<byte> rest, out List<PgTsVector.Lexeme.WordEntryPos>? positions)
    {
        positions = null;
        if (!BinaryPrimitives.TryReadUInt16BigEndian(rest, out var count) || count > PgTsVector.Lexeme.MaxPositions || rest.Length < 2 + count * 2)
            return false;
        if (count > 0)
            positions = new(count);
        for (var at = 0; at < count; at++)
            positions!.Add(new(BinaryPrimitives.ReadUInt16BigEndian(rest[(2 + at * 2)..])));
        rest = rest[(2 + count * 2)..];
        return true;
    }
}
