using System.Buffers.Text;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Converts tid to and from <see cref="PgTid"/>: block (uint32) and offset (uint16). In text, "(0,1)". Source: src/backend/utils/adt/tid.c, tidsend.
/// </summary>
internal sealed class TidConverter : PgConverter<PgTid>
{
    public override PgTid Read(ref PgValueReader reader)
    {
        if (reader.IsBinary)
            return new(unchecked((uint)reader.ReadInt32()), unchecked((ushort)reader.ReadInt16()));
        var text = reader.ReadRest();
        var (block, offset) = (0u, (ushort)0);
        if (text is not [(byte)'(', .., (byte)')'] || !Utf8Parser.TryParse(text[1..], out block, out var digits)
            || text[1 + digits] != ',' || !Utf8Parser.TryParse(text[(2 + digits)..], out offset, out var moreDigits) || digits + moreDigits + 3 != text.Length)
        {
            reader.Fail();
        }

        return new(block, offset);
    }

    public override void Write(ref PgValueWriter writer, PgTid value)
    {
        writer.WriteInt32(unchecked((int)value.BlockNumber));
        writer.WriteInt16(unchecked((short)value.OffsetNumber));
    }
}

/// <summary>Converts xid8 to and from <see cref="ulong"/>: 8 bytes. Source: src/backend/utils/adt/xid.c, xid8send.</summary>
internal sealed class TransactionIdConverter : PgConverter<ulong>
{
    public override ulong Read(ref PgValueReader reader)
    {
        if (reader.IsBinary)
            return unchecked((ulong)reader.ReadInt64());
        var text = reader.ReadRest();
        if (!Utf8Parser.TryParse(text, out ulong number, out var digits) || digits != text.Length)
            reader.Fail();
        return number;
    }

    public override void Write(ref PgValueWriter writer, ulong value) => writer.WriteInt64(unchecked((long)value));
}
