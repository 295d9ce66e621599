namespace Slipstream.MySql;

// Connections like this one.
public sealed partial class MySqlConnection
{
    private MySqlConnection(MySqlDataSource source, string connectionString)
        : base(source, connectionString)
    {
    }

    /// <summary>A closed connection with the same options and callbacks; of the same data source, if this one was made by one.</summary>
    public MySqlConnection Clone()
    {
        var clone = SourceOrNull is MySqlDataSource source ? new MySqlConnection(source, FullConnectionString) : new MySqlConnection(FullConnectionString);
        clone.Callbacks = Callbacks;
        return clone;
    }

    /// <summary>
    /// A closed connection with other options and the same callbacks, those of its data source included: for another database, or without the pool.
    /// The password is taken over when the options name none, unless they ask for it to be shown (Persist Security Info) and this connection's did not.
    /// </summary>
    /// <param name="connectionString">All options but the password.</param>
    /// <exception cref="ArgumentNullException">There is no string.</exception>
    /// <exception cref="ArgumentException">An option is unknown or has a bad value.</exception>
    public MySqlConnection CloneWith(string connectionString)
    {
        var wanted = new MySqlConnectionStringBuilder(connectionString ?? throw new ArgumentNullException(nameof(connectionString)));
        var own = new MySqlConnectionStringBuilder(FullConnectionString);
        var takesPassword = wanted.Password.Length == 0 && (!wanted.PersistSecurityInfo || own.PersistSecurityInfo);
        if (takesPassword)
            wanted.Password = own.Password;
        var source = SourceOrNull as MySqlDataSource;
        var text = wanted.ConnectionString;
        // A password that this connection does not show any more, the other one does not show either.
        var clone = takesPassword && source is not null ? new MySqlConnection(MySqlDataSource.For(text), text) : new MySqlConnection(text);
        clone.Callbacks = source is null ? Callbacks : Callbacks.Over(source.Callbacks);
        return clone;
    }
}
