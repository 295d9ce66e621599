using System.Diagnostics.CodeAnalysis;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>Reports bytes that are not a value of their type. The message does not contain the bytes, because they are data.</summary>
internal static class Malformed
{
    [DoesNotReturn]
    public static void Throw(string type, ReadOnlySpan<byte> value, bool binary) => throw Of(type, value, binary);

    public static FormatException Of(string type, ReadOnlySpan<byte> value, bool binary) =>
        new($"The server sent a value of type {type} whose {value.Length} bytes are not valid in {(binary ? "binary" : "text")} format.");
}
