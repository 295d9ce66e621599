using System.Diagnostics.CodeAnalysis;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// A value that is not what its column's type says. The frame around it was right, so the session goes on: MySQL itself sends text in a column
/// that it describes as DECIMAL when a prepared parameter changes its type.
/// </summary>
internal static class Malformed
{
    /// <exception cref="FormatException">Always. Says the length, never the value.</exception>
    [DoesNotReturn]
    public static void Throw(string what, int length) => throw new FormatException($"A value of type {what} came as {length} bytes that are not one: read it with GetString or GetBytes to see what the server sent.");

    /// <inheritdoc cref="Throw"/>
    [DoesNotReturn]
    public static T Throw<T>(string what, int length) => throw new FormatException($"A value of type {what} came as {length} bytes that are not one: read it with GetString or GetBytes to see what the server sent.");
}
