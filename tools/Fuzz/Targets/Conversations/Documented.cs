using Slipstream.Core.Errors;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Fuzzing.Targets.Conversations;

/// <summary>The documented exceptions of the drivers.</summary>
internal static class Documented
{
    /// <summary>Returns whether a value could not be read as the requested type. The session remains usable.</summary>
    public static bool OfValues(Exception exception) =>
        exception is InvalidCastException or FormatException or OverflowException or MySqlConversionException;

    /// <summary>Returns whether a command may throw the exception, whatever a server sends.</summary>
    public static bool OfCommands(Exception exception) =>
        exception is MySqlException or MySqlProtocolException or PgException || OfValues(exception);

    /// <summary>Returns whether the server has violated the protocol, or exceeded a limit: the session must end.</summary>
    public static bool EndsSession(Exception exception)
    {
        for (var one = exception; one is not null; one = one.InnerException)
        {
            if (one is MySqlProtocolException or ProtocolException or WireException or PgException { Failure: not null })
                return true;
        }

        return false;
    }
}

/// <summary>Converts words to numbers that are the same in every process, as states are.</summary>
internal static class Words
{
    public static int Number(string? word)
    {
        var hash = 0x811C9DC5u;
        foreach (var letter in word ?? "")
            hash = (hash ^ letter) * 0x01000193;
        return (int)hash;
    }
}
