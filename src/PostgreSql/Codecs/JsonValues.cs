using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Slipstream.PostgreSql.Codecs;

/// <summary><see cref="JsonDocument"/>, <see cref="JsonElement"/> and <see cref="JsonNode"/> → UTF-8.</summary>
internal static class JsonValues
{
    /// <summary>Whether the value is one of them.</summary>
    // By name: a trimmed program that never makes one has no System.Text.Json, and no method that mentions its types can be compiled there.
    public static bool IsJson(object value) => value.GetType().Namespace is "System.Text.Json" or "System.Text.Json.Nodes" && value is not Enum;

    /// <summary>The value as JSON.</summary>
    /// <exception cref="InvalidCastException">It is another of that library's types.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ReadOnlyMemory<byte>? ToUtf8(object value)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer, new JsonWriterOptions { SkipValidation = true }))
        {
            if (value is JsonDocument document)
                document.WriteTo(json);
            else if (value is JsonElement element)
                element.WriteTo(json);
            else
                ((JsonNode)value).WriteTo(json);
        }

        return buffer.WrittenMemory;
    }
}
