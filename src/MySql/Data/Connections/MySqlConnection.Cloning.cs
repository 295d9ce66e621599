namespace Slipstream.MySql;

// Copies of connections.
public sealed partial class MySqlConnection
{
    private MySqlConnection(MySqlDataSource source, string connectionString)
        : base(source, connectionString)
    {
    }

    /// <summary>
    /// Creates a closed connection with the same options and callbacks. If a data source created this connection, the clone belongs to it too.
    /// </summary>
    /// <returns>The new connection.</returns>
    public MySqlConnection Clone()
    {
        var clone = SourceOrNull is MySqlDataSource source ? new MySqlConnection(source, FullConnectionString) : new MySqlConnection(FullConnectionString);
        clone.Callbacks = Callbacks;
        return clone;
    }

    /// <summary>
    /// Creates a closed connection with other options and the same callbacks, including those of its data source: for another database, or without the pool. If
    /// the options have no password, the new connection gets this connection's password. It does not if the options have Persist Security Info=true, which
    /// makes the password visible, and this connection's do not.
    /// </summary>
    /// <param name="connectionString">All options except the password.</param>
    /// <returns>The new connection.</returns>
    /// <exception cref="ArgumentNullException">The string is null.</exception>
    /// <exception cref="ArgumentException">An option is unknown or has an invalid value.</exception>
    public MySqlConnection CloneWith(string connectionString)
    {
        var wanted = new MySqlConnectionStringBuilder(connectionString ?? throw new ArgumentNullException(nameof(connectionString)));
        var own = new MySqlConnectionStringBuilder(FullConnectionString);
        var takesPassword = wanted.Password.Length == 0 && (!wanted.PersistSecurityInfo || own.PersistSecurityInfo);
        if (takesPassword)
            wanted.Password = own.Password;
        var source = SourceOrNull as MySqlDataSource;
        var text = wanted.ConnectionString;
        // If this connection no longer shows its password, the new connection does not show it either.
        var clone = takesPassword && source is not null ? new MySqlConnection(MySqlDataSource.For(text), text) : new MySqlConnection(text);
        clone.Callbacks = source is null ? Callbacks : Callbacks.WithFallback(source.Callbacks);
        return clone;
    }
}
