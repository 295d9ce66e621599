using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>The servers, each with one database for each class of tests.</summary>
internal static class Servers
{
    public static TheoryData<ServerKind> Kinds { get; } = [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    /// <summary>Returns a connection string of a database that may not exist yet.</summary>
    public static async Task<string> ConnectionString(ServerKind kind, string database)
    {
        var server = await LiveServers.GetAsync(kind);
        return $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};Database=ef_{database}_{Environment.ProcessId};"
            + "Allow Public Key Retrieval=true";
    }

    /// <summary>Returns a builder of options of which the tests may have many: EF Core has services for each, and refuses more than twenty.</summary>
    public static DbContextOptionsBuilder Options() => Options<DbContext>();

    /// <inheritdoc cref="Options()"/>
    public static DbContextOptionsBuilder<TContext> Options<TContext>()
        where TContext : DbContext
    {
        var builder = new DbContextOptionsBuilder<TContext>();
        ManyProviders(builder);
        return builder;
    }

    public static void ManyProviders(DbContextOptionsBuilder options) =>
        options.ConfigureWarnings(static warnings => warnings.Ignore(CoreEventId.ManyServiceProvidersCreatedWarning));

    /// <summary>Runs a test on a database of its own, which it opens as often as it likes.</summary>
    public static async Task WithDatabaseAsync<TContext>(
        ServerKind kind, Func<DbContextOptions, TContext> create, Func<Func<TContext>, Task> test, Action<MySqlDbContextOptionsBuilder>? optionsAction = null,
        params IInterceptor[] interceptors)
        where TContext : DbContext
    {
        var builder = Options().AddInterceptors(interceptors)
            .UseMySql(await ConnectionString(kind, Guid.NewGuid().ToString("N")[..12]), mySqlOptionsAction: optionsAction);
        var options = builder.Options;
        await using var first = create(options);
        await first.Database.EnsureCreatedAsync();
        try
        {
            await test(() => create(options));
        }
        finally
        {
            await first.Database.EnsureDeletedAsync();
        }
    }
}
