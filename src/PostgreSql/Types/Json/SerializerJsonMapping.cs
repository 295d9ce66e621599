using System.Text.Json.Serialization.Metadata;
using System.Text.Json;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>Converts json by System.Text.Json: the types for which the options have a contract.</summary>
/// <param name="options">The options.</param>
/// <param name="exact">Types that the application has named, which are written without the discriminator of a base class.</param>
internal sealed class SerializerJsonMapping(JsonSerializerOptions options, params Type[] exact) : JsonMapping
{
    public override bool TryRead<T>(ReadOnlySpan<byte> utf8, out T? result)
        where T : default
    {
        if (!options.TryGetTypeInfo(typeof(T), out var contract))
        {
            result = default;
            return false;
        }

        try
        {
            result = JsonSerializer.Deserialize(utf8, (JsonTypeInfo<T>)contract);
            return true;
        }
        catch (JsonException exception)
        {
            throw Unreadable(typeof(T), exception);
        }
    }

    public override object? TryRead(Type type, ReadOnlySpan<byte> utf8)
    {
        if (!options.TryGetTypeInfo(type, out var contract))
            return null;
        try
        {
            return JsonSerializer.Deserialize(utf8, contract);
        }
        catch (JsonException exception)
        {
            throw Unreadable(type, exception);
        }
    }

    private static InvalidCastException Unreadable(Type type, JsonException exception) =>
        new($"The JSON document cannot be read as {type.Name}: {ServerText.OneLine(exception.Message, 300)}", exception);

    public override byte[]? ToUtf8(object value, bool isReordered) =>
        ContractOf(value.GetType(), isReordered) is { } contract ? JsonSerializer.SerializeToUtf8Bytes(value, contract) : null;

    // The nearest base class that names its derived types writes the discriminator of the type, if it can be read again: it must be the first property unless
    // the options allow another order.
    private JsonTypeInfo? ContractOf(Type type, bool isReordered)
    {
        if ((isReordered && !options.AllowOutOfOrderMetadataProperties) || Array.IndexOf(exact, type) >= 0)
            return options.TryGetTypeInfo(type, out var only) ? only : null;
        JsonTypeInfo? own = null;
        for (var at = type; at is not null && at != typeof(object) && at != typeof(ValueType); at = at.BaseType)
        {
            if (!options.TryGetTypeInfo(at, out var contract))
                continue;
            own ??= at == type ? contract : null;
            if (contract.PolymorphismOptions is { } polymorphism && (at == type || polymorphism.DerivedTypes.Any(derived => derived.DerivedType == type)))
                return contract;
        }

        return own;
    }
}
