using System.Data;
using System.Data.Common;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Infrastructure;

/// <summary>The options that the singleton services share: those of the first context that needed them.</summary>
internal sealed class MySqlSingletonOptions : ISingletonOptions
{
    // Without a version and without a server to ask: what every supported server takes.
    private static readonly ServerVersion Oldest = new MySqlServerVersion(new Version(8, 0, 21));

    private volatile ServerVersion? _version;
    private IDbContextOptionsExtension? _extension;

    public MySqlOptions Values { get; private set; } = new();

    /// <summary>The version of the server. Asked from the server when it is first needed, unless it was given.</summary>
    public ServerVersion ServerVersion => _version ??= Find();

    public ServerCapabilities Capabilities => ServerVersion.Capabilities;

    public void Initialize(IDbContextOptions options)
    {
        Values = MySqlOptions.Of(options);
        _extension = options.Extensions.FirstOrDefault(static extension => extension is MySqlOptions.IHolder);
        _version = Values.ServerVersion;
    }

    public void Validate(IDbContextOptions options)
    {
        var extension = options.Extensions.FirstOrDefault(static extension => extension is MySqlOptions.IHolder);
        if (_extension is not null && extension is not null && !_extension.Info.ShouldUseSameServiceProvider(extension.Info))
            throw new InvalidOperationException(
                "An option of UseMySql differs from the one that the internal service provider was made with. Leave the provider to EF Core, or use one for "
                    + "each set of options.");
    }

    // A failure is not kept: the server may be there the next time.
    private ServerVersion Find()
    {
        if (EF.IsDesignTime)
            return Oldest;
        var relational = _extension as RelationalOptionsExtension;
        return (Values.DataSource, relational?.Connection, relational?.ConnectionString) switch
        {
            ({ } source, _, _) => Ask(source.CreateConnection()),
            (_, { State: ConnectionState.Open } connection, _) => ServerVersion.Parse(connection.ServerVersion),
            (_, { } connection, _) => ServerVersion.AutoDetect(connection.ConnectionString),
            (_, _, { Length: > 0 } text) => ServerVersion.AutoDetect(text),
            _ => Oldest,
        };
    }

    private static ServerVersion Ask(DbConnection connection)
    {
        using (connection)
        {
            try
            {
                connection.Open();
                return ServerVersion.Parse(connection.ServerVersion);
            }
            catch (MySqlException exception) when (exception.ErrorCode == MySqlErrorCode.UnknownDatabase && connection is MySqlConnection mySql)
            {
                using var other = mySql.CloneWith(new MySqlConnectionStringBuilder(mySql.ConnectionString) { Database = "" }.ConnectionString);
                return ServerVersion.AutoDetect(other);
            }
        }
    }
}
