namespace Slipstream.MySql;

/// <summary>
/// Called when a connection of a data source has been opened, before its user gets it: see <see cref="MySqlDataSourceBuilder.UseConnectionOpenedCallback"/>.
/// </summary>
/// <param name="context">The connection, open, and in which state its session is.</param>
/// <param name="cancellationToken">The token of OpenAsync.</param>
public delegate ValueTask MySqlConnectionOpenedCallback(MySqlConnectionOpenedContext context, CancellationToken cancellationToken);

/// <summary>What a <see cref="MySqlConnectionOpenedCallback"/> is told.</summary>
public sealed class MySqlConnectionOpenedContext
{
    internal MySqlConnectionOpenedContext(MySqlConnection connection, MySqlConnectionOpenedConditions conditions)
    {
        Connection = connection;
        Conditions = conditions;
    }

    /// <summary>The connection that has been opened. It stays open.</summary>
    public MySqlConnection Connection { get; }

    /// <summary>Whether the session is a new one, or brought back to the state of a new one.</summary>
    public MySqlConnectionOpenedConditions Conditions { get; }
}

/// <summary>What is known of the session of a connection that has been opened.</summary>
[Flags]
public enum MySqlConnectionOpenedConditions
{
    /// <summary>
    /// It has everything that its last user set: it was in the pool (Connection Reset=false), or in the ambient transaction that this connection joins.
    /// </summary>
    None = 0,

    /// <summary>It was opened for this connection, or nobody has had it before.</summary>
    New = 1,

    /// <summary>It was in the pool and has the state of a new one, by a reset or because nothing had been changed.</summary>
    Reset = 2,
}
