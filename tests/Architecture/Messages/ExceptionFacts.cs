using System.Data.Common;
using System.Globalization;
using System.Reflection;
using Slipstream.Core.Errors;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Architecture.Messages;

/// <summary>Determines the exception that an application receives, and its properties, from the exceptions themselves.</summary>
internal static class ExceptionFacts
{
    private const BindingFlags Inside = BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.Static | BindingFlags.Instance;

    public static MySqlException MySql(WireException failure) => (MySqlException)typeof(MySqlException).GetMethod("From", Inside)!.Invoke(null, [failure])!;

    public static MySqlException MySql(ServerError error) => Made<MySqlException>(error);

    public static PgException Pg(WireException failure) => Made<PgException>(failure);

    public static PgException Pg(ServerError error) => Made<PgException>(error, false);

    /// <summary>Returns the facts in Markdown, for a message in this part of the sources.</summary>
    /// <param name="path">The source file.</param>
    /// <param name="exception">The type there.</param>
    /// <param name="reason">Names of WireFailure or of MySqlErrorCode.</param>
    /// <param name="safety">A name of RetrySafety; null for the type's default.</param>
    public static string Of(string path, string exception, string reason, string? safety)
    {
        var inMySql = !path.StartsWith("PostgreSql/", StringComparison.Ordinal);
        var inPg = !path.StartsWith("MySql", StringComparison.Ordinal);
        switch (exception)
        {
            case "WireException":
                var failure = new WireException(Enum.Parse<WireFailure>(reason), "")
                {
                    RetrySafety = safety is null ? RetrySafety.Unknown : Enum.Parse<RetrySafety>(safety)
                };
                var (kind, isTransient) = (MySql(failure).Kind, MySql(failure).IsTransient);
                var may = safety is null ? "`Unknown`, or `NotSent` when nothing of the command had left" : $"`{safety}`";
                var number = $"`MySqlException` ({MySql(failure).Number.ToString(CultureInfo.InvariantCulture)}, `{MySql(failure).ErrorCode}`)";
                return Common(inMySql, inPg, number, "`PgException`")
                    + $"; `Kind` {kind}; {(isTransient ? "transient" : "not transient")}; `RetrySafety` {may}";
            case "ProtocolException":
                return Common(inMySql, inPg, "`MySqlProtocolException`", "`PgException`");
            case "PoolExhaustedException":
                return Common(inMySql, inPg, $"`MySqlException` (1042, `{MySqlErrorCode.UnableToConnectToHost}`)", "`PgException`")
                    + $"; `Kind` {ErrorKind.TooManyConnections}; transient; `RetrySafety` `NotSent`";
            case "MySqlException":
                return $"`MySqlException` ({(int)Enum.Parse<MySqlErrorCode>(reason)}, `{reason}`)";
            case "CallbackException":
                return $"`MySqlException` ({(int)MySqlErrorCode.ProvidePasswordCallbackFailed}, `{MySqlErrorCode.ProvidePasswordCallbackFailed}`)";
            case "TimeOut":
                return Common(
                    inMySql, inPg, $"`MySqlException` ({(int)MySqlErrorCode.CommandTimeoutExpired}, `{MySqlErrorCode.CommandTimeoutExpired}`)", "`PgException`")
                    + "; `RetrySafety` `Unknown`; the inner exception says more";
            default:
                return $"`{exception}`";
        }
    }

    private static string Common(bool inMySql, bool inPg, string mySql, string pg) => inMySql && inPg ? $"{mySql}, {pg}" : inMySql ? mySql : pg;

    private static T Made<T>(params object[] arguments)
        where T : DbException =>
        (T)typeof(T)
            .GetConstructors(Inside)
            .Single(one => one.GetParameters().Select(parameter => parameter.ParameterType).SequenceEqual(arguments.Select(argument => argument.GetType())))
            .Invoke(arguments);
}
