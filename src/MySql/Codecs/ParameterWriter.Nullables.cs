using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Codecs;

/// <content>Writes the content of nullable values like the values themselves.</content>
internal static partial class ParameterWriter
{
    private readonly struct TextTaker(ByteWriter writer, CodecSettings settings, LiteralRules rules) : IValueTaker
    {
        public void Take<T>(T value) => WriteText(writer, value, settings, rules);
    }

    private readonly struct BinaryTaker(ByteWriter writer, CodecSettings settings) : IValueTaker
    {
        public void Take<T>(T value) => WriteBinary(writer, value, settings);
    }

    private struct TypeTaker(CodecSettings settings) : IValueTaker
    {
        public ushort Type { get; private set; }

        public void Take<T>(T value) => Type = WireType(value, settings);
    }
}
