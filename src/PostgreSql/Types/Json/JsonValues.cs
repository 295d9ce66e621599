using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text.Json.Nodes;
using System.Text.Json;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>Converts <see cref="JsonDocument"/>, <see cref="JsonElement"/> and <see cref="JsonNode"/> to and from UTF-8.</summary>
internal static class JsonValues
{
    /// <summary>Whether the value is one of them.</summary>
    // By name: a trimmed program that never makes one has no System.Text.Json, and no method that mentions its types can be compiled there.
    public static bool IsJson(object value) => IsJson(value.GetType());

    /// <summary>Returns whether the type is one of them.</summary>
    public static bool IsJson(Type type) => type.Namespace is "System.Text.Json" or "System.Text.Json.Nodes" && !type.IsEnum && !type.IsArray;

    /// <summary>Reads a document. A <see cref="JsonElement"/> needs no disposal; a <see cref="JsonDocument"/> does.</summary>
    /// <exception cref="InvalidCastException">
    /// It is another of that library's types; or the text is not JSON, or is nested more deeply than that library reads (64).
    /// </exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static T Read<T>(ReadOnlySpan<byte> utf8)
    {
        try
        {
            if (typeof(T) == typeof(JsonDocument))
                return (T)(object)Document(utf8);
            if (typeof(T) == typeof(JsonElement))
                return (T)(object)JsonElement.Parse(utf8);
            if (typeof(JsonNode).IsAssignableFrom(typeof(T)) && JsonNode.Parse(utf8) is T node)
                return node;
        }
        catch (JsonException exception)
        {
            throw Unreadable(typeof(T), exception);
        }

        throw new InvalidCastException($"The JSON document cannot be read as {typeof(T).Name}: read it as JsonDocument, JsonElement or JsonNode.");
    }

    /// <summary>Reads a document as a type that is known only at run time. Returns null if it is not of that type.</summary>
    /// <exception cref="InvalidCastException">The text is not JSON, or is nested more deeply than that library reads (64).</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static object? TryRead(Type type, ReadOnlySpan<byte> utf8)
    {
        try
        {
            if (type == typeof(JsonDocument))
                return Document(utf8);
            if (type == typeof(JsonElement))
                return JsonElement.Parse(utf8);
            return typeof(JsonNode).IsAssignableFrom(type) && JsonNode.Parse(utf8) is { } node && type.IsInstanceOfType(node) ? node : null;
        }
        catch (JsonException exception)
        {
            throw Unreadable(type, exception);
        }
    }

    private static InvalidCastException Unreadable(Type type, JsonException exception) =>
        new($"The JSON document cannot be read as {type.Name}: {ServerText.OneLine(exception.Message, 300)}", exception);

    // The document has its bytes in a pooled array, which its disposal clears and returns.
    private static JsonDocument Document(ReadOnlySpan<byte> utf8)
    {
        var reader = new Utf8JsonReader(utf8);
        var document = JsonDocument.ParseValue(ref reader);
        try
        {
            // Throws if something follows the value.
            reader.Read();
            return document;
        }
        catch
        {
            document.Dispose();
            throw;
        }
    }

    // Bytes up to which a thread keeps the memory for its next document. Larger values may be sent from their own memory, which must not change until then.
    private const int MostKept = 16 * 1024;

    [ThreadStatic]
    private static ArrayBufferWriter<byte>? _bytes;

    [ThreadStatic]
    private static Utf8JsonWriter? _json;

    /// <summary>Returns the value as JSON. The bytes are valid until the next call on this thread.</summary>
    /// <exception cref="InvalidCastException">It is another of that library's types.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ReadOnlyMemory<byte>? ToUtf8(object value)
    {
        // Taken away while they are used: a converter in a JsonNode may write another document, and an exception may leave half of one.
        var (bytes, json) = (_bytes ?? new(), _json);
        (_bytes, _json) = (null, null);
        bytes.Clear();
        if (json is null)
            json = new(bytes, new JsonWriterOptions { SkipValidation = true });
        else
            json.Reset(bytes);
        if (value is JsonDocument document)
            document.WriteTo(json);
        else if (value is JsonElement element)
            element.WriteTo(json);
        else
            ((JsonNode)value).WriteTo(json);
        json.Flush();
        if (bytes.Capacity <= MostKept)
            (_bytes, _json) = (bytes, json);
        return bytes.WrittenMemory;
    }
}
