using System.Data;
using System.Data.Common;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Hosting;

/// <summary>What a container holds after a data source was registered. No connection is opened, so no server is needed.</summary>
public class RegistrationTests
{
    private const string Somewhere = "Server=db.example;Database=shop;User ID=u;Password=p";

    [Fact]
    public void A_data_source_is_one_and_its_connections_are_new_each_time()
    {
        using var services = new ServiceCollection().AddMySqlDataSource(Somewhere).BuildServiceProvider();
        var source = services.GetRequiredService<MySqlDataSource>();
        Assert.Same(source, services.GetRequiredService<DbDataSource>());
        var connection = services.GetRequiredService<MySqlConnection>();
        Assert.NotSame(connection, services.GetRequiredService<MySqlConnection>());
        Assert.IsType<MySqlConnection>(services.GetRequiredService<DbConnection>());
        Assert.Equal((ConnectionState.Closed, "db.example", "shop"), (connection.State, connection.DataSource, connection.Database));
    }

    [Fact]
    public void Lifetimes_are_the_callers_choice()
    {
        using var services = new ServiceCollection().AddMySqlDataSource(Somewhere, ServiceLifetime.Scoped).BuildServiceProvider();
        using var one = services.CreateScope();
        using var other = services.CreateScope();
        var connection = one.ServiceProvider.GetRequiredService<MySqlConnection>();
        Assert.Same(connection, one.ServiceProvider.GetRequiredService<DbConnection>());
        Assert.NotSame(connection, other.ServiceProvider.GetRequiredService<MySqlConnection>());
    }

    [Fact]
    public void Each_key_has_a_data_source_of_its_own()
    {
        var collection = new ServiceCollection()
            .AddKeyedMySqlDataSource("orders", Somewhere)
            .AddKeyedMySqlDataSource("stock", "Server=other.example", builder => builder.UseName("the stock"))
            .AddKeyedSlipstreamMySql(7, "Server=seventh.example");
        using var services = collection.BuildServiceProvider();
        Assert.Null(services.GetService<MySqlDataSource>());
        Assert.Equal("orders", services.GetRequiredKeyedService<MySqlDataSource>("orders").Name);
        Assert.Equal("the stock", services.GetRequiredKeyedService<MySqlDataSource>("stock").Name);
        Assert.Equal("other.example", services.GetRequiredKeyedService<DbConnection>("stock").DataSource);
        Assert.Equal("seventh.example", services.GetRequiredKeyedService<MySqlConnection>(7).DataSource);
    }

    [Fact]
    public void The_first_registration_without_a_key_wins()
    {
        using var services = new ServiceCollection().AddMySqlDataSource(Somewhere).AddMySqlDataSource("Server=late.example").BuildServiceProvider();
        Assert.Equal("db.example", services.GetRequiredService<MySqlConnection>().DataSource);
    }

    [Fact]
    public void Other_services_may_help_to_set_it_up()
    {
        using var services = new ServiceCollection()
            .AddSingleton("the name")
            .AddMySqlDataSource(Somewhere, (provider, builder) => builder.UseName(provider.GetRequiredService<string>()))
            .BuildServiceProvider();
        Assert.Equal("the name", services.GetRequiredService<MySqlDataSource>().Name);
    }

    [Fact]
    public void Log_messages_go_to_the_containers_loggers()
    {
        using var loggers = new Loggers();
        using var services = new ServiceCollection()
            .AddSingleton<ILoggerFactory>(loggers)
            .AddSlipstreamMySql(Somewhere)
            .AddSlipstreamPostgreSql(PostgreSql)
            .BuildServiceProvider();
        _ = services.GetRequiredService<MySqlDataSource>();
        _ = services.GetRequiredService<PgDataSource>();
        string[] categories =
            [
                "Slipstream.MySql.Command", "Slipstream.MySql.Connection", "Slipstream.MySql.Pool", "Slipstream.PostgreSql.Command",
                "Slipstream.PostgreSql.Connection", "Slipstream.PostgreSql.Pool"
            ];
        Assert.Equal(categories, loggers.Categories.Order());
    }

    [Fact]
    public void The_container_disposes_the_pool()
    {
        MySqlDataSource source;
        using (var services = new ServiceCollection().AddSlipstreamMySql(Somewhere).BuildServiceProvider())
            source = services.GetRequiredService<MySqlDataSource>();
        Assert.Throws<ObjectDisposedException>(() => source.OpenConnection());
    }

    [Fact]
    public void PostgreSql_is_registered_the_same_way()
    {
        using var services =
            new ServiceCollection().AddSlipstreamPostgreSql(PostgreSql).AddKeyedSlipstreamPostgreSql("second", "Host=second.example").BuildServiceProvider();
        Assert.Same(services.GetRequiredService<PgDataSource>(), services.GetRequiredService<DbDataSource>());
        Assert.Equal("pg.example", services.GetRequiredService<PgConnection>().DataSource);
        Assert.Equal("second.example", services.GetRequiredKeyedService<DbConnection>("second").DataSource);
    }

    [Fact]
    public void A_misspelt_option_is_named_when_the_data_source_is_asked_for()
    {
        using var services = new ServiceCollection().AddMySqlDataSource("Sever=db.example").BuildServiceProvider();
        Assert.Contains("'Server'", Assert.Throws<ArgumentException>(services.GetRequiredService<MySqlDataSource>).Message);
    }

    private const string PostgreSql = "Host=pg.example;Username=u;Password=p";

    private sealed class Loggers : ILoggerFactory
    {
        public List<string> Categories { get; } = [];

        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public ILogger CreateLogger(string categoryName)
        {
            Categories.Add(categoryName);
            return Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;
        }

        public void Dispose()
        {
        }
    }
}
