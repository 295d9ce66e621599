namespace Slipstream.MySql;

/// <summary>
/// Called after a connection of a data source was opened, before the application gets it: see <see cref="MySqlDataSourceBuilder.UseConnectionOpenedCallback"/>.
/// </summary>
/// <param name="context">The open connection, and the state of its session.</param>
/// <param name="cancellationToken">The token of OpenAsync.</param>
/// <returns>A task; the opening ends after it.</returns>
public delegate ValueTask MySqlConnectionOpenedCallback(MySqlConnectionOpenedContext context, CancellationToken cancellationToken);

/// <summary>Provides the opened connection to a <see cref="MySqlConnectionOpenedCallback"/>.</summary>
public sealed class MySqlConnectionOpenedContext
{
    internal MySqlConnectionOpenedContext(MySqlConnection connection, MySqlConnectionOpenedConditions conditions)
    {
        Connection = connection;
        Conditions = conditions;
    }

    /// <summary>Gets the opened connection. It stays open.</summary>
    public MySqlConnection Connection { get; }

    /// <summary>Gets whether the session is new, or was reset to the state of a new one.</summary>
    public MySqlConnectionOpenedConditions Conditions { get; }
}

/// <summary>The state of an opened connection's session.</summary>
[Flags]
public enum MySqlConnectionOpenedConditions
{
    /// <summary>
    /// The session has everything that its last user set: it was in the pool (Connection Reset=false), or in the ambient transaction that this connection
    /// joins.
    /// </summary>
    None = 0,

    /// <summary>The session was opened for this connection, or has not been used before.</summary>
    New = 1,

    /// <summary>The session was in the pool and has the state of a new one, because of a reset or because nothing was changed.</summary>
    Reset = 2,
}
