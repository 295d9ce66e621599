using System.Data.Common;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Extension methods that make a context use MySQL or MariaDB.</summary>
public static class MySqlDbContextOptionsBuilderExtensions
{
    /// <summary>Uses MySQL or MariaDB, by a connection string.</summary>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    /// <returns>The builder.</returns>
    /// <remarks>The provider asks the server for its version once for each connection string, when a context is first used, and not at design time.</remarks>
    public static DbContextOptionsBuilder UseMySql(
        this DbContextOptionsBuilder optionsBuilder, string? connectionString, Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null) =>
        Use(optionsBuilder, extension => (MySqlOptionsExtension)extension.WithConnectionString(Allowing(connectionString)), null, mySqlOptionsAction);

    /// <inheritdoc cref="UseMySql(DbContextOptionsBuilder, string?, Action{MySqlDbContextOptionsBuilder}?)"/>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="serverVersion">The version of the server, or null to ask the server.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    public static DbContextOptionsBuilder UseMySql(
        this DbContextOptionsBuilder optionsBuilder, string? connectionString, ServerVersion? serverVersion,
        Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null) =>
        Use(optionsBuilder, extension => (MySqlOptionsExtension)extension.WithConnectionString(Allowing(connectionString)), serverVersion, mySqlOptionsAction);

    /// <summary>Uses MySQL or MariaDB on a connection of the caller's, who opens it or not, and disposes of it.</summary>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="connection">The connection, a <see cref="MySqlConnection"/>.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    /// <returns>The builder.</returns>
    public static DbContextOptionsBuilder UseMySql(
        this DbContextOptionsBuilder optionsBuilder, DbConnection connection, Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null) =>
        UseMySql(optionsBuilder, connection, (ServerVersion?)null, mySqlOptionsAction);

    /// <inheritdoc cref="UseMySql(DbContextOptionsBuilder, DbConnection, Action{MySqlDbContextOptionsBuilder}?)"/>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="connection">The connection, a <see cref="MySqlConnection"/>.</param>
    /// <param name="serverVersion">The version of the server, or null to ask the server.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    public static DbContextOptionsBuilder UseMySql(
        this DbContextOptionsBuilder optionsBuilder, DbConnection connection, ServerVersion? serverVersion,
        Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        Require(connection.ConnectionString, Path.Connection);
        return Use(optionsBuilder, extension => (MySqlOptionsExtension)extension.WithConnection(connection), serverVersion, mySqlOptionsAction);
    }

    /// <summary>Uses MySQL or MariaDB on connections of a data source.</summary>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="dataSource">The data source, a <see cref="MySqlDataSource"/>. It should have "Allow User Variables=true" where raw SQL uses them.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    /// <returns>The builder.</returns>
    public static DbContextOptionsBuilder UseMySql(
        this DbContextOptionsBuilder optionsBuilder, DbDataSource dataSource, Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null) =>
        UseMySql(optionsBuilder, dataSource, (ServerVersion?)null, mySqlOptionsAction);

    /// <inheritdoc cref="UseMySql(DbContextOptionsBuilder, DbDataSource, Action{MySqlDbContextOptionsBuilder}?)"/>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="dataSource">The data source, a <see cref="MySqlDataSource"/>. It should have "Allow User Variables=true" where raw SQL uses them.</param>
    /// <param name="serverVersion">The version of the server, or null to ask the server.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    public static DbContextOptionsBuilder UseMySql(
        this DbContextOptionsBuilder optionsBuilder, DbDataSource dataSource, ServerVersion? serverVersion,
        Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null)
    {
        ArgumentNullException.ThrowIfNull(dataSource);
        Require(dataSource.ConnectionString, Path.DataSource);
        return Use(optionsBuilder, extension => extension.With(options => options with { DataSource = dataSource }), serverVersion, mySqlOptionsAction);
    }

    /// <summary>Uses MySQL or MariaDB without saying where: the connection or its string is set later, on <see cref="DbContext.Database"/>.</summary>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="serverVersion">The version of the server. Null: what MySQL 8.0.21 takes.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    /// <returns>The builder.</returns>
    public static DbContextOptionsBuilder UseMySql(
        this DbContextOptionsBuilder optionsBuilder, ServerVersion? serverVersion, Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null) =>
        Use(optionsBuilder, static extension => extension, serverVersion, mySqlOptionsAction);

    /// <summary>Uses MySQL or MariaDB, and keeps what was said before of the connection and the version.</summary>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    /// <returns>The builder.</returns>
    public static DbContextOptionsBuilder UseMySql(
        this DbContextOptionsBuilder optionsBuilder, Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null) =>
        Use(optionsBuilder, static extension => extension, null, mySqlOptionsAction);

    /// <inheritdoc cref="UseMySql(DbContextOptionsBuilder, string?, Action{MySqlDbContextOptionsBuilder}?)"/>
    /// <typeparam name="TContext">The type of the context.</typeparam>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    public static DbContextOptionsBuilder<TContext> UseMySql<TContext>(
        this DbContextOptionsBuilder<TContext> optionsBuilder, string? connectionString, Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null)
        where TContext : DbContext =>
        (DbContextOptionsBuilder<TContext>)UseMySql((DbContextOptionsBuilder)optionsBuilder, connectionString, mySqlOptionsAction);

    /// <inheritdoc cref="UseMySql(DbContextOptionsBuilder, string?, ServerVersion?, Action{MySqlDbContextOptionsBuilder}?)"/>
    /// <typeparam name="TContext">The type of the context.</typeparam>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="connectionString">The connection string.</param>
    /// <param name="serverVersion">The version of the server, or null to ask the server.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    public static DbContextOptionsBuilder<TContext> UseMySql<TContext>(
        this DbContextOptionsBuilder<TContext> optionsBuilder, string? connectionString, ServerVersion? serverVersion,
        Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null)
        where TContext : DbContext =>
        (DbContextOptionsBuilder<TContext>)UseMySql((DbContextOptionsBuilder)optionsBuilder, connectionString, serverVersion, mySqlOptionsAction);

    /// <inheritdoc cref="UseMySql(DbContextOptionsBuilder, DbConnection, Action{MySqlDbContextOptionsBuilder}?)"/>
    /// <typeparam name="TContext">The type of the context.</typeparam>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="connection">The connection, a <see cref="MySqlConnection"/>.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    public static DbContextOptionsBuilder<TContext> UseMySql<TContext>(
        this DbContextOptionsBuilder<TContext> optionsBuilder, DbConnection connection, Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null)
        where TContext : DbContext =>
        (DbContextOptionsBuilder<TContext>)UseMySql((DbContextOptionsBuilder)optionsBuilder, connection, mySqlOptionsAction);

    /// <inheritdoc cref="UseMySql(DbContextOptionsBuilder, DbConnection, ServerVersion?, Action{MySqlDbContextOptionsBuilder}?)"/>
    /// <typeparam name="TContext">The type of the context.</typeparam>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="connection">The connection, a <see cref="MySqlConnection"/>.</param>
    /// <param name="serverVersion">The version of the server, or null to ask the server.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    public static DbContextOptionsBuilder<TContext> UseMySql<TContext>(
        this DbContextOptionsBuilder<TContext> optionsBuilder, DbConnection connection, ServerVersion? serverVersion,
        Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null)
        where TContext : DbContext =>
        (DbContextOptionsBuilder<TContext>)UseMySql((DbContextOptionsBuilder)optionsBuilder, connection, serverVersion, mySqlOptionsAction);

    /// <inheritdoc cref="UseMySql(DbContextOptionsBuilder, DbDataSource, Action{MySqlDbContextOptionsBuilder}?)"/>
    /// <typeparam name="TContext">The type of the context.</typeparam>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="dataSource">The data source, a <see cref="MySqlDataSource"/>.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    public static DbContextOptionsBuilder<TContext> UseMySql<TContext>(
        this DbContextOptionsBuilder<TContext> optionsBuilder, DbDataSource dataSource, Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null)
        where TContext : DbContext =>
        (DbContextOptionsBuilder<TContext>)UseMySql((DbContextOptionsBuilder)optionsBuilder, dataSource, mySqlOptionsAction);

    /// <inheritdoc cref="UseMySql(DbContextOptionsBuilder, DbDataSource, ServerVersion?, Action{MySqlDbContextOptionsBuilder}?)"/>
    /// <typeparam name="TContext">The type of the context.</typeparam>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="dataSource">The data source, a <see cref="MySqlDataSource"/>.</param>
    /// <param name="serverVersion">The version of the server, or null to ask the server.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    public static DbContextOptionsBuilder<TContext> UseMySql<TContext>(
        this DbContextOptionsBuilder<TContext> optionsBuilder, DbDataSource dataSource, ServerVersion? serverVersion,
        Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null)
        where TContext : DbContext =>
        (DbContextOptionsBuilder<TContext>)UseMySql((DbContextOptionsBuilder)optionsBuilder, dataSource, serverVersion, mySqlOptionsAction);

    /// <inheritdoc cref="UseMySql(DbContextOptionsBuilder, Action{MySqlDbContextOptionsBuilder}?)"/>
    /// <typeparam name="TContext">The type of the context.</typeparam>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    public static DbContextOptionsBuilder<TContext> UseMySql<TContext>(
        this DbContextOptionsBuilder<TContext> optionsBuilder, Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null)
        where TContext : DbContext =>
        (DbContextOptionsBuilder<TContext>)UseMySql((DbContextOptionsBuilder)optionsBuilder, mySqlOptionsAction);

    /// <inheritdoc cref="UseMySql(DbContextOptionsBuilder, ServerVersion?, Action{MySqlDbContextOptionsBuilder}?)"/>
    /// <typeparam name="TContext">The type of the context.</typeparam>
    /// <param name="optionsBuilder">The builder of the context's options.</param>
    /// <param name="serverVersion">The version of the server. Null: what MySQL 8.0.21 takes.</param>
    /// <param name="mySqlOptionsAction">Sets more options.</param>
    public static DbContextOptionsBuilder<TContext> UseMySql<TContext>(
        this DbContextOptionsBuilder<TContext> optionsBuilder, ServerVersion? serverVersion, Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction = null)
        where TContext : DbContext =>
        (DbContextOptionsBuilder<TContext>)UseMySql((DbContextOptionsBuilder)optionsBuilder, serverVersion, mySqlOptionsAction);

    private static DbContextOptionsBuilder Use(
        DbContextOptionsBuilder optionsBuilder, Func<MySqlOptionsExtension, MySqlOptionsExtension> change, ServerVersion? serverVersion,
        Action<MySqlDbContextOptionsBuilder>? action)
    {
        ArgumentNullException.ThrowIfNull(optionsBuilder);
        var extension = change(optionsBuilder.Options.FindExtension<MySqlOptionsExtension>() ?? new());
        IDbContextOptionsBuilderInfrastructure infrastructure = optionsBuilder;
        infrastructure.AddOrUpdateExtension(extension.With(options => options with { ServerVersion = serverVersion ?? options.ServerVersion }));
        infrastructure.AddOrUpdateExtension(RelationalOptionsExtension.WithDefaultWarningConfiguration(
            optionsBuilder.Options.FindExtension<CoreOptionsExtension>() ?? new()));
        action?.Invoke(new(optionsBuilder));
        return optionsBuilder;
    }

    // Raw SQL and procedures with output parameters use variables such as @x, which are off by default. Updates check how many rows were found.
    private static string? Allowing(string? connectionString)
    {
        if (string.IsNullOrWhiteSpace(connectionString) || connectionString.StartsWith("Name=", StringComparison.OrdinalIgnoreCase))
            return connectionString;
        Require(connectionString, Path.Text);
        var options = new MySqlConnectionStringBuilder(connectionString);
        if (options.AllowUserVariables)
            return connectionString;
        options.AllowUserVariables = true;
        return options.ConnectionString;
    }

    private static void Require(string? connectionString, Path path)
    {
        if (!string.IsNullOrEmpty(connectionString) && new MySqlConnectionStringBuilder(connectionString).UseAffectedRows)
            throw new ArgumentException(
                $"The {(path == Path.Text ? "connection string" : path == Path.Connection ? "connection" : "data source")} has 'Use Affected Rows=true': an "
                    + "update that changes nothing would count no row, which EF Core takes for a conflict. Remove the option.");
    }

    private enum Path
    {
        Text,
        Connection,
        DataSource,
    }
}
