using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Codecs;

/// <content>Writes the content of nullable values like the values themselves.</content>
internal static partial class ParameterWriter
{
    private readonly struct TextVisitor(ByteWriter writer, CodecSettings settings, LiteralRules rules) : IValueVisitor
    {
        public void Visit<T>(T value) => WriteText(writer, value, settings, rules);
    }

    private readonly struct BinaryVisitor(ByteWriter writer, CodecSettings settings) : IValueVisitor
    {
        public void Visit<T>(T value) => WriteBinary(writer, value, settings);
    }

    private struct TypeVisitor(CodecSettings settings) : IValueVisitor
    {
        public ushort Type { get; private set; }

        public void Visit<T>(T value) => Type = WireType(value, settings);
    }
}
