using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Hosting;

/// <summary>Options from an application's configuration.</summary>
public class ConfigurationTests
{
    [Fact]
    public void Each_key_of_the_section_is_an_option()
    {
        var source = Build(("Database:Server", "db.example"), ("Database:Port", "3307"), ("Database:MaximumPoolSize", "20"));
        var options = new MySqlConnectionStringBuilder(source.ConnectionString);
        Assert.Equal(("db.example", 3307u, 20u), (options.Server, options.Port, options.MaximumPoolSize));
    }

    [Fact]
    public void A_whole_connection_string_may_be_the_base()
    {
        var source = Build(("Database:ConnectionString", "Server=db.example;Port=3307"), ("Database:Port", "3308"));
        var options = new MySqlConnectionStringBuilder(source.ConnectionString);
        Assert.Equal(("db.example", 3308u), (options.Server, options.Port));
    }

    [Fact]
    public void A_section_that_is_a_string_is_a_connection_string()
    {
        var source = Build(("Database", "Server=db.example"));
        Assert.Equal("db.example", new MySqlConnectionStringBuilder(source.ConnectionString).Server);
    }

    [Fact]
    public void Keys_serve_several_sections()
    {
        var configuration = Configuration(("A:Server", "a.example"), ("B:Server", "b.example"));
        using var services = new ServiceCollection()
            .AddKeyedSlipstreamMySql("a", configuration.GetSection("A"))
            .AddKeyedSlipstreamMySql("b", configuration.GetSection("B"), (_, builder) => builder.ConnectionStringBuilder.Port = 3309)
            .BuildServiceProvider();
        Assert.Equal("a.example", services.GetRequiredKeyedService<MySqlConnection>("a").DataSource);
        Assert.Contains("3309", services.GetRequiredKeyedService<MySqlDataSource>("b").ConnectionString);
    }

    [Fact]
    public void PostgreSql_reads_the_same_forms()
    {
        var configuration = Configuration(
            ("A:Host", "a.example"), ("A:MaxPoolSize", "20"),
            ("B:ConnectionString", "Host=b.example;Port=5433"), ("B:Port", "5434"), ("C", "Host=c.example"));
        using var services = new ServiceCollection()
            .AddSlipstreamPostgreSql(configuration.GetSection("A"))
            .AddKeyedSlipstreamPostgreSql("b", configuration.GetSection("B"))
            .AddKeyedSlipstreamPostgreSql("c", configuration.GetSection("C"), (_, builder) => builder.ConnectionStringBuilder.Port = 5435)
            .AddKeyedSlipstreamPostgreSql("d", configuration.GetSection("D"))
            .BuildServiceProvider();
        var (a, b, c) = (Options(null), Options("b"), Options("c"));
        Assert.Equal(("a.example", 20), (a.Host, (int)a.MaxPoolSize));
        Assert.Equal(("b.example", 5434), (b.Host, (int)b.Port));
        Assert.Equal(("c.example", 5435), (c.Host, (int)c.Port));
        Assert.Contains("'D' is empty", Assert.Throws<ArgumentException>(() => Options("d")).Message);

        PgConnectionStringBuilder Options(string? key) =>
            new((key is null ? services.GetRequiredService<PgDataSource>() : services.GetRequiredKeyedService<PgDataSource>(key)).ConnectionString);
    }

    [Theory]
    [InlineData("Database:Sever", "db.example", "'Server'")]
    [InlineData("Database:Port", "many", "Port")]
    [InlineData("Database:Server:Name", "db.example", "'Database:Server' contains other keys")]
    [InlineData("Elsewhere", "", "'Database' is empty")]
    public void What_is_wrong_is_named(string key, string value, string expected)
    {
        var error = Assert.ThrowsAny<ArgumentException>(() => Build((key, value)));
        Assert.Contains(expected, error.Message);
    }

    private static MySqlDataSource Build(params (string Key, string Value)[] values)
    {
        using var services = new ServiceCollection().AddSlipstreamMySql(Configuration(values).GetSection("Database")).BuildServiceProvider();
        return services.GetRequiredService<MySqlDataSource>();
    }

    private static IConfigurationRoot Configuration(params (string Key, string Value)[] values) =>
        new ConfigurationBuilder().AddInMemoryCollection(values.Select(pair => KeyValuePair.Create(pair.Key, (string?)pair.Value))).Build();
}
