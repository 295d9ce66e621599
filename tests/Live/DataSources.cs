using Slipstream.Core.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Live;

/// <summary>Data sources of either provider.</summary>
internal static class DataSources
{
    /// <summary>Creates the data source of the provider for a kind of server.</summary>
    public static ProviderDataSource Create(ServerKind kind, string text) =>
        kind.IsPostgreSql() ? PgDataSource.Create(text) : new MySqlDataSource(text);
}
