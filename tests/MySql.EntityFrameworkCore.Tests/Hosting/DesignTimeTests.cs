using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Slipstream.MySql.EntityFrameworkCore.Tests.Hosting;

/// <summary>Tests of design time, which the whole process is in: they run alone.</summary>
[CollectionDefinition(nameof(DesignTimeTests), DisableParallelization = true)]
public sealed class AloneCollection;

/// <summary>A host as <c>dotnet ef</c> builds it.</summary>
[Collection(nameof(DesignTimeTests))]
public class DesignTimeTests
{
    [Theory, InlineData(null, null), InlineData("11.8.9-MariaDB", "11.8.9-mariadb")]
    public void Migrations_need_no_connection_string(string? version, string? expected)
    {
        var builder = Hosts.Builder();
        builder.AddMySqlDbContext<Shop>("shop", settings => settings.ServerVersion = version, Hosts.Many);
        using var host = builder.Build();
        using var scope = host.Services.CreateScope();
        AtDesignTime(() => Assert.StartsWith(
            "ALTER DATABASE", scope.ServiceProvider.GetRequiredService<Shop>().Database.GenerateCreateScript(), StringComparison.Ordinal));
        Assert.Equal(expected, host.Options<Shop>().ServerVersion?.ToString());
    }

    [Fact]
    public void A_connection_string_is_used()
    {
        var builder = Hosts.WithShop();
        builder.AddMySqlDbContext<Shop>("shop", configureDbContextOptions: Hosts.Many);
        using var host = builder.Build();
        AtDesignTime(() => Assert.Same(host.Services.GetRequiredKeyedService<MySqlDataSource>("shop"), host.Options<Shop>().DataSource));
    }

    private static void AtDesignTime(Action action)
    {
#pragma warning disable EF1001 // dotnet ef sets it
        EF.IsDesignTime = true;
        try
        {
            action();
        }
        finally
        {
            EF.IsDesignTime = false;
        }
#pragma warning restore EF1001
    }
}
