using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;
using static Slipstream.BadPeers.PostgreSql.CallbackTests;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>Which password a login uses after the data source has got a new one, and what the message says if there is none.</summary>
[Collection("PostgreSQL, callbacks")]
public sealed class PasswordSourceTests : PgPeerTests
{
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_view_passes_a_new_password_on_to_all_servers(bool asynchronously)
    {
        using var server = Expecting("first", "second", "second", "second");
        await using var cluster = new PgDataSourceBuilder(Options(server, "Password=first;Pooling=false")).BuildMultiHost();
        var view = cluster.WithTargetSession(TargetSessionAttributes.Any);
        await using (var connection = view.CreateConnection())
            await Open(connection, asynchronously);
        view.Password = "second";
        foreach (var connection in new[] { view.CreateConnection(), cluster.CreateConnection() })
        {
            await using (connection)
            {
                await Open(connection, asynchronously);
                await using var clone = connection.CloneWith(connection.ConnectionString + ";Application Name=clone");
                await Open(clone, asynchronously);
            }
        }

        server.ThrowIfScriptFailed();
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public async Task Another_database_is_opened_with_the_new_password(bool asynchronously, bool severalHosts)
    {
        using var server = Expecting("second");
        var builder = new PgDataSourceBuilder(Options(server, "Password=first"));
        await using var source = severalHosts ? builder.BuildMultiHost() : builder.Build();
        source.Password = "second";
        await using var connection = source.CreateConnection();
        await Open(connection, asynchronously);
        await Change(connection, asynchronously);
        server.ThrowIfScriptFailed();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Another_database_is_opened_with_the_callbacks_of_the_data_source(bool asynchronously)
    {
        using var server = Expecting("provided");
        await using var source = new PgDataSourceBuilder(Options(server))
            .UsePasswordProvider(static _ => "provided", static (_, _) => new("provided")).Build();
        await using var connection = source.CreateConnection();
        await Open(connection, asynchronously);
        await Change(connection, asynchronously);
        await Change(connection, asynchronously, "another");
        server.ThrowIfScriptFailed();
    }

    private static async Task Change(PgConnection connection, bool asynchronously, string database = "other")
    {
        if (asynchronously)
            await connection.ChangeDatabaseAsync(database, TestContext.Current.CancellationToken);
        else
            await Task.Run(() => connection.ChangeDatabase(database));
        Assert.Equal(database, connection.Database);
    }

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(true, false)]
    public async Task A_provider_that_returns_no_password_ends_Open(bool asynchronously, bool isNull)
    {
        using var server = Expecting("never");
        await using var source = new PgDataSourceBuilder(Options(server))
            .UsePasswordProvider(_ => isNull ? null! : "", (_, _) => new(isNull ? null! : "")).Build();
        await using var periodic = new PgDataSourceBuilder(Options(server))
            .UsePeriodicPasswordProvider((_, _) => new(isNull ? null! : ""), TimeSpan.Zero, TimeSpan.Zero).Build();
        foreach (var connection in new[] { source.CreateConnection(), periodic.CreateConnection() })
        {
            await using (connection)
            {
                var failure = await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously));
                Assert.Contains(isNull ? "callback returned null" : "callback returned an empty one", failure.Message);
                Assert.Equal((Core.Errors.ErrorKind.AuthenticationFailed, Core.Errors.RetrySafety.NotSent), (failure.Kind, failure.RetrySafety));
            }
        }
    }

    [Theory]
    [InlineData("missing", "does not exist")]
    [InlineData("folder", "is a folder")]
    [InlineData("other", "has no line for this server")]
    [InlineData("without", "has an empty one")]
    [InlineData("open", "other users can access it")]
    public async Task The_message_says_why_the_password_file_does_not_help(string kind, string expected)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no such modes.");
        using var server = Expecting("never");
        var folder = Directory.CreateTempSubdirectory().FullName;
        try
        {
            var path = kind == "folder" ? folder : Path.Combine(folder, "pgpass");
            if (kind is not ("missing" or "folder"))
            {
                var line = kind == "other" ? "elsewhere:*:*:*:secret" : kind == "without" ? "*:*:*:*:" : "*:*:*:*:secret";
                await File.WriteAllTextAsync(path, line + "\n", TestContext.Current.CancellationToken);
                if (!OperatingSystem.IsWindows())
                    File.SetUnixFileMode(path, UnixFileMode.UserRead | (kind == "open" ? UnixFileMode.OtherRead : UnixFileMode.None));
            }

            await using var connection = new PgConnection(Options(server, $"Pooling=false;Passfile={path}"));
            var failure = await Assert.ThrowsAsync<PgException>(() => Open(connection, asynchronously: true));
            Assert.Contains($"password file '{path}'", failure.Message);
            Assert.Contains(expected, failure.Message);
            Assert.DoesNotContain("secret", failure.Message);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
