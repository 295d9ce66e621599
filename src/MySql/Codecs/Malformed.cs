using System.Diagnostics.CodeAnalysis;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// A value that does not match its column's type. Its framing was correct, so the session continues: MySQL itself sends text in a column that it describes as
/// DECIMAL if a prepared parameter changes its type.
/// </summary>
internal static class Malformed
{
    /// <summary>Throws the exception.</summary>
    /// <exception cref="FormatException">Always. The message contains the length, never the value.</exception>
    [DoesNotReturn]
    public static void Throw(string what, int length) => throw new FormatException($"The server sent a value of type {what} whose {length} bytes are not "
        + "valid: read it with GetString or GetBytes to see what the server sent.");

    /// <inheritdoc cref="Throw"/>
    [DoesNotReturn]
    public static T Throw<T>(string what, int length) => throw new FormatException($"The server sent a value of type {what} whose {length} bytes are not "
        + "valid: read it with GetString or GetBytes to see what the server sent.");
}
