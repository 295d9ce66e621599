using System.Collections;
using System.Collections.Specialized;

namespace Slipstream.PostgreSql.Types;

/// <summary>Converts bit and varbit to and from <see cref="BitArray"/>. The first bit has the index 0.</summary>
internal sealed class BitArrayConverter : PgConverter<BitArray>
{
    public override BitArray Read(ref PgValueReader reader)
    {
        var bits = new BitArray(BitString.ReadLength(ref reader));
        var value = reader.ReadRest();
        for (var at = 0; at < bits.Length; at++)
            bits[at] = BitString.IsSet(ref reader, value, at);
        return bits;
    }

    public override void Write(ref PgValueWriter writer, BitArray value)
    {
        writer.WriteInt32(value.Length);
        for (var at = 0; at < value.Length; at += 8)
        {
            var bits = 0;
            for (var bit = 0; bit < 8 && at + bit < value.Length; bit++)
                bits |= value[at + bit] ? 0x80 >> bit : 0;
            writer.WriteByte((byte)bits);
        }
    }
}

/// <summary>Converts a bit or varbit of one bit to and from <see cref="bool"/>.</summary>
internal sealed class SingleBitConverter : PgConverter<bool>
{
    public override bool Read(ref PgValueReader reader)
    {
        var count = BitString.ReadLength(ref reader);
        if (count != 1)
            throw new InvalidCastException($"A bit string of {count} bits is not a Boolean, which has 1 bit: read it as BitArray.");
        return BitString.IsSet(ref reader, reader.ReadRest(), 0);
    }

    public override void Write(ref PgValueWriter writer, bool value)
    {
        writer.WriteInt32(1);
        writer.WriteByte(value ? (byte)0x80 : (byte)0);
    }
}

/// <summary>Converts bit and varbit of up to 32 bits to and from <see cref="BitVector32"/>. The first bit is the highest.</summary>
internal sealed class BitVectorConverter : PgConverter<BitVector32>
{
    public override BitVector32 Read(ref PgValueReader reader)
    {
        var count = BitString.ReadLength(ref reader);
        if (count > 32)
            throw new InvalidCastException($"A bit string of {count} bits does not fit a BitVector32, which has 32 bits: read it as BitArray.");
        var value = reader.ReadRest();
        var bits = 0u;
        for (var at = 0; at < count; at++)
            bits |= BitString.IsSet(ref reader, value, at) ? 0x8000_0000u >> at : 0;
        return new(unchecked((int)bits));
    }

    public override void Write(ref PgValueWriter writer, BitVector32 value)
    {
        writer.WriteInt32(32);
        writer.WriteInt32(value.Data);
    }
}

/// <summary>Converts bit and varbit to and from text, such as "101".</summary>
internal sealed class BitTextConverter : PgConverter<string>
{
    public override string Read(ref PgValueReader reader)
    {
        if (!reader.IsBinary)
            return reader.ReadText();
        var bits = new char[BitString.ReadLength(ref reader)];
        var value = reader.ReadRest();
        for (var at = 0; at < bits.Length; at++)
            bits[at] = BitString.IsSet(ref reader, value, at) ? '1' : '0';
        return new(bits);
    }

    public override void Write(ref PgValueWriter writer, string value)
    {
        if (value.AsSpan().IndexOfAnyExcept('0', '1') is >= 0 and var wrong)
            throw new ArgumentException($"A bit string has only the characters 0 and 1; character {wrong} of the value is another one.");
        writer.WriteInt32(value.Length);
        for (var at = 0; at < value.Length; at += 8)
        {
            var bits = 0;
            for (var bit = 0; bit < 8 && at + bit < value.Length; bit++)
                bits |= value[at + bit] == '1' ? 0x80 >> bit : 0;
            writer.WriteByte((byte)bits);
        }
    }
}
