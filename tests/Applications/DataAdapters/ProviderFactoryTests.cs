using System.Data.Common;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.WithDataAdapters;

/// <summary>Programs that know a provider only by a name in their configuration.</summary>
public sealed class ProviderFactoryTests
{
    public static TheoryData<ServerKind> Servers =>
        [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11, ServerKind.PostgreSql, ServerKind.PostgreSql18];

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.PostgreSql)]
    public void A_factory_is_found_by_the_name_under_which_it_was_registered(ServerKind kind)
    {
        var factory = Of(kind);
        var name = $"Slipstream.Tests.{kind}";
        Assert.False(DbProviderFactories.TryGetFactory(name, out _));
        Action<string>[] registrations =
        [
            given => DbProviderFactories.RegisterFactory(given, factory),
            given => DbProviderFactories.RegisterFactory(given, factory.GetType()),
            given => DbProviderFactories.RegisterFactory(given, factory.GetType().AssemblyQualifiedName!),
        ];
        foreach (var register in registrations)
        {
            register(name);
            try
            {
                Assert.Same(factory, DbProviderFactories.GetFactory(name));
                Assert.True(DbProviderFactories.TryGetFactory(name, out var found));
                Assert.Same(factory, found);
                Assert.Contains(name, DbProviderFactories.GetProviderInvariantNames());
                var row = DbProviderFactories.GetFactoryClasses().Rows.Find(name)!;
                Assert.Same(factory, DbProviderFactories.GetFactory(row));
            }
            finally
            {
                Assert.True(DbProviderFactories.UnregisterFactory(name));
            }

            Assert.Throws<ArgumentException>(() => DbProviderFactories.GetFactory(name));
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.PostgreSql)]
    public void What_a_factory_says_it_can_create_it_creates(ServerKind kind)
    {
        var factory = Of(kind);
        Assert.True(factory.CanCreateBatch);
        Assert.NotNull(factory.CreateBatch());
        Assert.NotNull(factory.CreateBatchCommand());
        Assert.NotNull(factory.CreateParameter());
        Assert.NotNull(factory.CreateConnectionStringBuilder());
        Assert.Equal(factory.CanCreateDataAdapter, factory.CreateDataAdapter() is not null);
        Assert.Equal(factory.CanCreateCommandBuilder, factory.CreateCommandBuilder() is not null);
        Assert.Equal(factory.CanCreateDataSourceEnumerator, factory.CreateDataSourceEnumerator() is not null);
        Assert.Equal((true, true), (factory.CanCreateDataAdapter, factory.CanCreateCommandBuilder));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_program_that_knows_the_factory_only_reads_and_writes(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var factory = Of(kind);
        var builder = factory.CreateConnectionStringBuilder()!;
        builder.ConnectionString = ConnectionStrings.Of(server);
        await using var connection = factory.CreateConnection()!;
        connection.ConnectionString = builder.ConnectionString;
        Assert.Same(factory, DbProviderFactories.GetFactory(connection));
        await connection.OpenAsync();
        await using var command = factory.CreateCommand()!;
        (command.Connection, command.CommandText) = (connection, "SELECT @value + 1");
        var parameter = factory.CreateParameter()!;
        (parameter.ParameterName, parameter.Value) = ("@value", 41);
        command.Parameters.Add(parameter);
        Assert.Equal(42, Convert.ToInt32(await command.ExecuteScalarAsync()));

        await using var source = factory.CreateDataSource(ConnectionStrings.Of(server));
        await using var own = source.CreateCommand("SELECT 43");
        Assert.Equal(43, Convert.ToInt32(await own.ExecuteScalarAsync()));
        await using var opened = await source.OpenConnectionAsync();
        Assert.Same(factory, DbProviderFactories.GetFactory(opened));
    }

    [Fact]
    public void Parts_of_two_providers_do_not_fit_together()
    {
        var mine = new[] { ServerKind.MySql, ServerKind.PostgreSql };
        foreach (var (one, other) in mine.Zip(mine.Reverse()))
        {
            using var connection = Of(other).CreateConnection()!;
            using var command = Of(one).CreateCommand()!;
            using var batch = Of(one).CreateBatch()!;
            Assert.Throws<InvalidCastException>(() => command.Connection = connection);
            Assert.Throws<InvalidCastException>(() => batch.Connection = connection);
            Assert.Throws<InvalidCastException>(() => command.Parameters.Add(Of(other).CreateParameter()!));
            Assert.ThrowsAny<Exception>(() => batch.BatchCommands.Add(Of(other).CreateBatchCommand()!));
            Assert.Null(command.Connection);
            Assert.Null(batch.Connection);
            Assert.Empty(command.Parameters);
            Assert.Empty(batch.BatchCommands);
        }
    }

    private static DbProviderFactory Of(ServerKind kind) => kind.IsPostgreSql() ? PgFactory.Instance : MySqlConnectorFactory.Instance;
}
