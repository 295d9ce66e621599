using System.Collections.Concurrent;
using System.Data;
using System.Data.Common;
using System.Runtime.CompilerServices;
using Microsoft.EntityFrameworkCore;

namespace Slipstream.MySql.EntityFrameworkCore.Infrastructure;

/// <summary>
/// The versions of servers that were asked: once for each data source and connection string. So contexts of many databases share EF Core's services, which
/// depend on the version only. A failure is not kept: the server may be there the next time.
/// </summary>
internal static class ServerVersions
{
    /// <summary>Without a version and without a server to ask: what every supported server takes.</summary>
    public static ServerVersion Oldest { get; } = new MySqlServerVersion(new Version(8, 0, 21));

    private static readonly ConcurrentDictionary<string, ServerVersion> OfTexts = new(StringComparer.Ordinal);
    private static readonly ConditionalWeakTable<DbDataSource, ServerVersion> OfSources = [];

    /// <exception cref="MySqlException">The server cannot be reached, or refused the login.</exception>
    /// <exception cref="InvalidOperationException">The connection string has only a name.</exception>
    public static ServerVersion Find(DbDataSource? source, DbConnection? connection, string? text, RetryLimits? retries)
    {
        if (EF.IsDesignTime)
            return Oldest;
        if (source is not null)
            return Ask(static source => Find(source), source, retries);
        if (connection is { State: ConnectionState.Open })
            return ServerVersion.Parse(connection.ServerVersion);
        text = connection?.ConnectionString ?? text;
        if (string.IsNullOrWhiteSpace(text))
            return Oldest;
        if (text.TrimStart().StartsWith("Name=", StringComparison.OrdinalIgnoreCase))
            throw new InvalidOperationException(
                "The version of the server is unknown: the connection string has only the name of an entry in the configuration, which is read later. Give "
                    + "UseMySql a ServerVersion, or the connection string itself.");
        return Ask(
            static asked => OfTexts.GetOrAdd(asked.text, static (text, connection) => AutoDetect(text, connection), asked.connection),
            (text, connection), retries);
    }

    // Called for every new context, so the known versions cost no closure.
    private static ServerVersion Ask<TState>(Func<TState, ServerVersion> ask, TState state, RetryLimits? retries)
    {
        for (var repetition = 1; ; repetition++)
        {
            try
            {
                return ask(state);
            }
            catch (MySqlException exception)
                when (repetition <= retries?.MaxCount && PassingErrors.IsPassing(exception, retries.AdditionalErrors))
            {
                Thread.Sleep(retries.DelayBefore(repetition));
            }
        }
    }

    // A connection that has been open before shows its string without the password, and clones itself with it.
    private static ServerVersion AutoDetect(string text, DbConnection? connection)
    {
        if (connection is not MySqlConnection mySql)
            return ServerVersion.AutoDetect(text);
        using var other = mySql.CloneWith(new MySqlConnectionStringBuilder(text) { Database = "" }.ConnectionString);
        return ServerVersion.AutoDetect(other);
    }

    private static ServerVersion Find(DbDataSource source)
    {
        if (OfSources.TryGetValue(source, out var known))
            return known;
        using var connection = source.CreateConnection();
        ServerVersion version;
        try
        {
            connection.Open();
            version = ServerVersion.Parse(connection.ServerVersion);
        }
        catch (MySqlException exception) when (exception.ErrorCode == MySqlErrorCode.UnknownDatabase && connection is MySqlConnection mySql)
        {
            using var other = mySql.CloneWith(new MySqlConnectionStringBuilder(mySql.ConnectionString) { Database = "" }.ConnectionString);
            version = ServerVersion.AutoDetect(other);
        }

        OfSources.AddOrUpdate(source, version);
        return version;
    }
}
