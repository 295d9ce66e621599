using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>How json and jsonb are converted to and from .NET types other than text.</summary>
internal abstract class JsonMapping
{
    /// <summary>Reads UTF-8 as <typeparamref name="T"/>. Returns false if the mapping does not include the type.</summary>
    public abstract bool TryRead<T>(ReadOnlySpan<byte> utf8, out T? result);

    /// <summary>Reads UTF-8 as a type that is known only at run time. Returns null if the mapping does not include the type.</summary>
    public abstract object? TryRead(Type type, ReadOnlySpan<byte> utf8);

    /// <summary>Returns a value as UTF-8; null if the mapping does not include its type.</summary>
    /// <param name="value">The value.</param>
    /// <param name="isReordered">Whether the database changes the order of properties, as jsonb does.</param>
    public abstract byte[]? ToUtf8(object value, bool isReordered);
}
