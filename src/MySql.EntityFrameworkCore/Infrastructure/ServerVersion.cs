using System.Diagnostics.CodeAnalysis;
using Pomelo.EntityFrameworkCore.MySql.Infrastructure;
using Slipstream.MySql;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Microsoft.EntityFrameworkCore;

/// <summary>The kind and the version of a server, on which the SQL depends.</summary>
public abstract class ServerVersion
{
    private static readonly System.Buffers.SearchValues<char> Digits = System.Buffers.SearchValues.Create("0123456789.");

    private protected ServerVersion(Version version, ServerType type)
    {
        ArgumentNullException.ThrowIfNull(version);
        Version = new(version.Major, Math.Max(version.Minor, 0), Math.Max(version.Build, 0));
        Type = type;
        Capabilities = new(type, Version);
    }

    /// <summary>Gets the version: major, minor and build.</summary>
    public virtual Version Version { get; }

    /// <summary>Gets the kind of server.</summary>
    public virtual ServerType Type { get; }

    /// <summary>Gets the word that <see cref="ToString"/> puts behind the version: mysql or mariadb.</summary>
    public virtual string TypeIdentifier => Type == ServerType.MariaDb ? "mariadb" : "mysql";

    /// <summary>What the server takes.</summary>
    internal ServerCapabilities Capabilities { get; }

    /// <summary>Asks a server for its version. Opens a connection without a database, so the database need not exist.</summary>
    /// <param name="connectionString">The connection string.</param>
    /// <returns>The version of the server.</returns>
    /// <exception cref="MySqlException">The server cannot be reached, or refused the login.</exception>
    public static ServerVersion AutoDetect(string connectionString)
    {
        using var connection = new MySqlConnection(new MySqlConnectionStringBuilder(connectionString) { Database = "" }.ConnectionString);
        return AutoDetect(connection);
    }

    /// <summary>Asks a server for its version.</summary>
    /// <param name="connection">The connection. If it is closed, it is opened for the question.</param>
    /// <returns>The version of the server.</returns>
    /// <exception cref="MySqlException">The server cannot be reached, or refused the login.</exception>
    public static ServerVersion AutoDetect(MySqlConnection connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        if (connection.State == System.Data.ConnectionState.Open)
            return Parse(connection.ServerVersion);
        connection.Open();
        try
        {
            return Parse(connection.ServerVersion);
        }
        finally
        {
            connection.Close();
        }
    }

    /// <summary>Asks a data source's server for its version.</summary>
    /// <param name="dataSource">The data source.</param>
    /// <returns>The version of the server.</returns>
    /// <exception cref="MySqlException">The server cannot be reached, or refused the login.</exception>
    public static ServerVersion AutoDetect(MySqlDataSource dataSource)
    {
        ArgumentNullException.ThrowIfNull(dataSource);
        using var connection = dataSource.CreateConnection();
        return AutoDetect(connection);
    }

    /// <inheritdoc cref="AutoDetect(string)"/>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="cancellationToken">Cancels the question.</param>
    public static async Task<ServerVersion> AutoDetectAsync(string connectionString, CancellationToken cancellationToken = default)
    {
        await using var connection = new MySqlConnection(new MySqlConnectionStringBuilder(connectionString) { Database = "" }.ConnectionString);
        return await AutoDetectAsync(connection, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc cref="AutoDetect(MySqlConnection)"/>
    /// <param name="connection">The connection. If it is closed, it is opened for the question.</param>
    /// <param name="cancellationToken">Cancels the question.</param>
    public static async Task<ServerVersion> AutoDetectAsync(MySqlConnection connection, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(connection);
        if (connection.State == System.Data.ConnectionState.Open)
            return Parse(connection.ServerVersion);
        await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return Parse(connection.ServerVersion);
        }
        finally
        {
            await connection.CloseAsync().ConfigureAwait(false);
        }
    }

    /// <inheritdoc cref="AutoDetect(MySqlDataSource)"/>
    /// <param name="dataSource">The data source.</param>
    /// <param name="cancellationToken">Cancels the question.</param>
    public static async Task<ServerVersion> AutoDetectAsync(MySqlDataSource dataSource, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(dataSource);
        await using var connection = dataSource.CreateConnection();
        return await AutoDetectAsync(connection, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Creates a version from its parts.</summary>
    /// <param name="version">The version.</param>
    /// <param name="serverType">The kind of server.</param>
    /// <returns>The version.</returns>
    public static ServerVersion Create(Version version, ServerType serverType) =>
        serverType == ServerType.MariaDb ? new MariaDbServerVersion(version) : new MySqlServerVersion(version);

    /// <inheritdoc cref="Create(Version, ServerType)"/>
    /// <param name="major">The major version.</param>
    /// <param name="minor">The minor version.</param>
    /// <param name="patch">The patch.</param>
    /// <param name="serverType">The kind of server.</param>
    public static ServerVersion Create(int major, int minor, int patch, ServerType serverType) => Create(new Version(major, minor, patch), serverType);

    /// <summary>Reads a version as a server writes it, such as "8.4.3", "11.8.9-MariaDB-log" or "9.7.4-mysql".</summary>
    /// <param name="versionString">The text.</param>
    /// <returns>The version.</returns>
    /// <exception cref="FormatException">The text does not begin with a version.</exception>
    public static ServerVersion Parse(string versionString) => Parse(versionString, null);

    /// <inheritdoc cref="Parse(string)"/>
    /// <param name="versionString">The text.</param>
    /// <param name="serverType">The kind of server, or null to find it in the text: MariaDB if the text contains that word, otherwise MySQL.</param>
    public static ServerVersion Parse(string versionString, ServerType? serverType) =>
        TryParse(versionString, serverType, out var version)
            ? version
            : throw new FormatException($"'{versionString}' is not a server's version. Expected is a text such as '8.4.3' or '11.8.9-MariaDB'.");

    /// <summary>Reads a version as a server writes it.</summary>
    /// <param name="versionString">The text.</param>
    /// <param name="serverVersion">The version.</param>
    /// <returns>Whether the text begins with a version.</returns>
    public static bool TryParse(string? versionString, [NotNullWhen(true)] out ServerVersion? serverVersion) =>
        TryParse(versionString, null, out serverVersion);

    /// <inheritdoc cref="TryParse(string, out ServerVersion)"/>
    /// <param name="versionString">The text.</param>
    /// <param name="serverType">The kind of server, or null to find it in the text.</param>
    /// <param name="serverVersion">The version.</param>
    public static bool TryParse(string? versionString, ServerType? serverType, [NotNullWhen(true)] out ServerVersion? serverVersion)
    {
        serverVersion = null;
        if (versionString is null)
            return false;
        var isMariaDb = versionString.Contains("mariadb", StringComparison.OrdinalIgnoreCase);
        var text = versionString.AsSpan();
        // MariaDB 10 announced itself to old replicas as 5.5.5.
        if (isMariaDb && text.StartsWith("5.5.5-"))
            text = text[6..];
        var length = text.IndexOfAnyExcept(Digits);
        if (!Version.TryParse(text[..(length < 0 ? text.Length : length)].TrimEnd('.'), out var version))
            return false;
        serverVersion = Create(version, serverType ?? (isMariaDb ? ServerType.MariaDb : ServerType.MySql));
        return true;
    }

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is ServerVersion other && other.Type == Type && other.Version == Version;

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Type, Version);

    /// <summary>Returns the version with the kind of server, such as "8.4.3-mysql".</summary>
    public override string ToString() => $"{Version}-{TypeIdentifier}";
}
