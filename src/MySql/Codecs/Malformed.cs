using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.Codecs;

/// <summary>A value that is not what its column's type says: the server, or something between it and us, is broken.</summary>
internal static class Malformed
{
    /// <exception cref="ProtocolException">Always. Says the length, never the value.</exception>
    [DoesNotReturn]
    public static void Throw(string what, int length) => throw new ProtocolException($"a value of type {what}", $"{length} bytes that are none");

    /// <inheritdoc cref="Throw"/>
    [DoesNotReturn]
    public static T Throw<T>(string what, int length) => throw new ProtocolException($"a value of type {what}", $"{length} bytes that are none");
}
