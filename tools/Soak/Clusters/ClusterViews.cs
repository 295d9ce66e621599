using Slipstream.Core.Data;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Soak.Clusters;

/// <summary>The views of a data source of a cluster, of either provider.</summary>
internal static class ClusterViews
{
    public static ProviderDataSource Primary(ProviderDataSource source) =>
        source is MySqlDataSource mysql ? mysql.Primary : ((PgMultiHostDataSource)source).Primary;

    public static ProviderDataSource Replica(ProviderDataSource source) =>
        source is MySqlDataSource mysql ? mysql.Replica : ((PgMultiHostDataSource)source).Replica;

    public static ProviderDataSource PreferReplica(ProviderDataSource source) =>
        source is MySqlDataSource mysql ? mysql.PreferReplica : ((PgMultiHostDataSource)source).PreferReplica;

    public static ProviderDataSource Any(ProviderDataSource source) => source is MySqlDataSource mysql ? mysql.Any : ((PgMultiHostDataSource)source).Any;
}
