using Slipstream.Core.Data;
using Slipstream.Core.Pooling;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Hosting;

/// <summary>Code that knows no provider monitors and clears pools with public members of the common base class.</summary>
public class PoolTests
{
    [Fact]
    public void A_pool_is_named_watched_and_cleared_without_knowing_its_provider()
    {
        var limit = new SessionLimit(50);
        ProviderDataSource[] sources =
        [
            new MySqlDataSourceBuilder("Server=db;Database=shop;Maximum Pool Size=7").UseName("a name").UseConnectionLimit(limit).Build(),
            new MySqlDataSource("Server=db;Database=shop;Maximum Pool Size=8"),
            new PgDataSourceBuilder("Host=db;Database=billing;Maximum Pool Size=9;Application Name=an application").UseConnectionLimit(limit).Build(),
            PgDataSource.Create("Host=db;Database=billing;Minimum Pool Size=0"),
        ];
        try
        {
            Assert.Equal(["a name", "db:3306/shop", "an application", "db:5432/billing"], sources.Select(static source => source.PoolName));
            Assert.Equal([7, 8, 9, 100], sources.Select(static source => source.Statistics.MaxSize));
            Assert.All(sources, static source =>
            {
                source.Clear();
                Assert.Equal((0, 0, 0, 0L), (source.Statistics.Busy, source.Statistics.Idle, source.Statistics.Waiting, source.Statistics.Opened));
            });
            Assert.Equal((50, 0, 0), (limit.Maximum, limit.Total, limit.Waiting));
        }
        finally
        {
            foreach (var source in sources)
                source.Dispose();
        }
    }
}
