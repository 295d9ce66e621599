using System.Net;
using System.Net.Sockets;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;

namespace Slipstream.MySql.EntityFrameworkCore.Tests.Hosting;

/// <summary>The health checks of contexts, without a server.</summary>
public sealed class HealthTests : IDisposable
{
    // Its port belongs to nobody else, and refuses connections.
    private readonly Socket _down = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    public HealthTests() => _down.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    // Without a version, so a context would ask the server for it, for most of a minute.
    private string Down => $"Server=127.0.0.1;Port={((IPEndPoint)_down.LocalEndPoint!).Port};User ID=app;Password=secret;Database=shop;SSL Mode=None";

    public void Dispose() => _down.Dispose();

    [Fact]
    public async Task Each_context_has_one_check_with_the_name_of_its_type()
    {
        var builder = Hosts.WithShop();
        builder.AddMySqlDbContext<Shop>("shop");
        builder.EnrichMySqlDbContext<Shop>();
        builder.AddMySqlDbContext<Stock>("shop", static settings => settings.DisableHealthChecks = true);
        builder.AddMySqlDbContext<Nested.Shop>("shop");
        builder.EnrichMySqlDbContext<Nested.Shop>();
        using var host = builder.Build();
        Assert.Equal(
            ["Shop", typeof(Nested.Shop).FullName],
            (await host.CheckAsync()).Entries.Keys.Order(StringComparer.Ordinal).OrderBy(static name => name.Length));
    }

    [Fact]
    public async Task A_server_that_is_down_is_unhealthy_without_retries_and_shows_no_password()
    {
        var builder = Hosts.Builder(("ConnectionStrings:shop", Down));
        builder.AddMySqlDbContext<Shop>("shop");
        builder.Services.AddMySql<Stock>(Down);
        builder.EnrichMySqlDbContext<Stock>();
        builder.Services.AddDbContext<Nested.Shop>(static options => options.UseMySql("Name=shop", ServerVersion.Parse("8.4.3")));
        builder.EnrichMySqlDbContext<Nested.Shop>();
        builder.Services.AddDbContext<Alone>(options => options.UseMySql(new MySqlConnection(Down)));
        builder.EnrichMySqlDbContext<Alone>();
        using var host = builder.Build();
        var report = await host.CheckAsync();
        Assert.Equal(4, report.Entries.Count);
        Assert.All(report.Entries.Values, static entry =>
        {
            Assert.Equal(HealthStatus.Unhealthy, entry.Status);
            Assert.StartsWith("Nothing is listening at ", entry.Description, StringComparison.Ordinal);
            Assert.IsType<MySqlException>(entry.Exception);
            Assert.DoesNotContain("secret", entry.Exception.ToString(), StringComparison.Ordinal);
        });
    }

    private static class Nested
    {
        public sealed class Shop(DbContextOptions<Shop> options) : DbContext(options);
    }
}
