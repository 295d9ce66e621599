using Slipstream.Core.Errors;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Fuzzing.Targets.Conversations;

/// <summary>The exceptions that callers are told of.</summary>
internal static class Documented
{
    /// <summary>A value that is there, but not as the type that was asked for: the session is as good as before.</summary>
    public static bool OfValues(Exception exception) =>
        exception is InvalidCastException or FormatException or OverflowException or MySqlConversionException;

    /// <summary>What a command may throw whatever a server sends.</summary>
    public static bool OfCommands(Exception exception) =>
        exception is MySqlException or MySqlProtocolException or PgException || OfValues(exception);

    /// <summary>The server has broken the protocol, or a limit of it: the session must be given up.</summary>
    public static bool EndsSession(Exception exception)
    {
        for (var one = exception; one is not null; one = one.InnerException)
        {
            if (one is MySqlProtocolException or ProtocolException or WireException)
                return true;
        }

        return false;
    }
}

/// <summary>Numbers for words that are the same in every process, as states are.</summary>
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
