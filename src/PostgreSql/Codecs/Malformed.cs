using System.Diagnostics.CodeAnalysis;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>The one way codecs report bytes that are no value of their type. The bytes themselves are data and stay out of the message.</summary>
internal static class Malformed
{
    [DoesNotReturn]
    public static void Throw(string type, ReadOnlySpan<byte> value, bool binary) => throw Of(type, value, binary);

    public static FormatException Of(string type, ReadOnlySpan<byte> value, bool binary) =>
        new($"A value of type {type} came as {value.Length} bytes that are not one in {(binary ? "binary" : "text")} format.");
}
