using System.Data.Common;
using System.Reflection;
using System.Text;
using Slipstream.Core.Data;
using Slipstream.Core.Options;
using Slipstream.Core.Sessions;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Options;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Options;
using Slipstream.Testing;

namespace Slipstream.Live.Secrets;

/// <summary>
/// Passwords and tokens are in no text of the drivers: neither of an object, nor of an exception, nor in the displayed connection string, nor in buffers after
/// the login.
/// </summary>
public class PasswordTests(SecretWatch watch)
{
    private const string Secret = Secrets.Secret;

    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.PostgreSql];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task The_watch_hears(ServerKind kind)
    {
        var before = watch.Counts;
        using (var connection = Create(kind, ConnectionStrings.Of(await LiveServers.GetAsync(kind))))
        {
            connection.Open();
            using var command = connection.CreateCommand();
            command.CommandText = "SELECT no_such_column";
            Assert.ThrowsAny<DbException>(command.ExecuteScalar);
        }

        watch.AskPools();
        var after = watch.Counts;
        Assert.True(
            after.Messages > before.Messages && after.Spans > before.Spans && after.Measurements > before.Measurements && after.Exceptions > before.Exceptions);
        Assert.Empty(watch.Heard);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task No_object_shows_a_password(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var text = ConnectionStrings.Of(server);
        await using DbDataSource source = kind.IsPostgreSql() ? new PgDataSourceBuilder(text).Build() : new MySqlDataSourceBuilder(text).Build();
        var closed = Create(kind, text);
        await using var connection = await source.OpenConnectionAsync();
        var transaction = await connection.BeginTransactionAsync();
        await using var command = connection.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = "SELECT @v";
        var parameter = command.CreateParameter();
        (parameter.ParameterName, parameter.Value) = ("@v", Secrets.Value);
        command.Parameters.Add(parameter);
        await using var batch = connection.CreateBatch();
        batch.Transaction = transaction;
        var one = batch.CreateBatchCommand();
        one.CommandText = "SELECT no_such_column";
        batch.BatchCommands.Add(one);
        var refused = Assert.ThrowsAny<DbException>(() => batch.ExecuteNonQuery());
        await transaction.RollbackAsync();
        command.Transaction = null;
        await using var reader = await command.ExecuteReaderAsync();
        var builder = kind.IsPostgreSql() ? (DbConnectionStringBuilder)new PgConnectionStringBuilder(text) : new MySqlConnectionStringBuilder(text);
        var more = kind.IsPostgreSql() ? (object[])[PgFactory.Instance, new PgDataSourceBuilder(text)]
            : [
                MySqlConnectorFactory.Instance, new MySqlDataSourceBuilder(text), new MySqlCredential(Secret, "user"),
                new MySqlProvidePasswordContext(server.Host, server.Port, server.User, server.Database)
            ];
        var seen = 0;
        foreach (var root in (object[])[
            source, closed, connection, transaction, command, command.Parameters, parameter, batch, one, batch.BatchCommands, reader, refused, builder, .. more
        ])
        {
            foreach (var (type, shown) in Inspection.TextsOf(root))
            {
                seen++;
                Assert.True(Secrets.Find(shown) is null, $"{type} shows {Secrets.Find(shown)}: {shown}");
            }
        }

        // Sessions, pools, settings, wires: the inspection reaches all of them.
        Assert.True(seen > 200, $"only {seen} texts were seen");
    }

    [Fact]
    public void No_record_prints_a_password_by_itself() =>
        Assert.Empty(
            ((Assembly[])[typeof(ProviderConnection).Assembly, typeof(MySqlConnection).Assembly, typeof(PgConnection).Assembly])
                .SelectMany(Inspection.TalkativeRecords));

    [Fact]
    public void Every_option_that_is_a_secret_is_declared_as_one()
    {
        foreach (var table in (OptionTable[])[MySqlOptions.Table, PgOptions.Table])
            foreach (var option in table.Options)
                Assert.True(option.IsSecret == IsSecretName(option.Name), option.Name);

        static bool IsSecretName(string name) =>
            (name.Contains("Password", StringComparison.Ordinal) || name.Contains("Passphrase", StringComparison.Ordinal))
                && name is not ("Can Handle Expired Passwords" or "Allow Cleartext Password");
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.PostgreSql)]
    public void What_is_wrong_with_a_connection_string_is_said_without_its_secrets(ServerKind kind)
    {
        var certificate = kind.IsPostgreSql() ? "SSL Password" : "Certificate Password";
        foreach (var wrong in (string[])
                 [
                     $"Password={Secret};Port=nonsense", $"Password={Secret};Prot=1", $"Port=nonsense;Password={Secret}", $"Password='{Secret}",
                     $"Password=\"{Secret}", $"Password={Secret};=", $"Password={Secret};;=;", $"Password=\"{Secret}\"x;Port=1",
                     $"Password={Secret};SSL Mode=Sometimes", $"Password={Secret};Pooling=maybe", $"Password={Secret};Maximum Pool Size=-1",
                     $"{certificate}={Secret};Port=x", $"Password=\"{Secret}\0\"", $"{certificate}=\"{Secret}\0\"",
                     $"pwd={Secret};Max Pool Size=1;Min Pool Size=5;Host=", $"Password={Secret};Host=a:b:c,,", $"Password={Secret}{Secret}=;Port=x",
                     $"passwrd={Secret}", $"Pass word={Secret};Port=y",
                 ])
        {
            foreach (var attempt in (Action<string>[])
                     [
                         text => Create(kind, text).Open(),
                         text => _ = kind.IsPostgreSql() ? (DbDataSource)PgDataSource.Create(text) : new MySqlDataSource(text),
                         text => { DbConnectionStringBuilder builder = Builder(kind); builder.ConnectionString = text; },
                         text =>
                             (kind.IsPostgreSql() ? (DbProviderFactory)PgFactory.Instance : MySqlConnectorFactory.Instance).CreateDataSource(text),
                     ])
            {
                var exception = Record.Exception(() => attempt(wrong));
                Assert.True(
                    exception is null || SecretWatch.TextsOf(exception).Append(exception.ToString()).All(static text => Secrets.Find(text) is null),
                    $"{wrong}: {exception}");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Only_who_asks_for_it_sees_the_password_again(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        foreach (var persists in (bool[])[false, true])
        {
            var text = ConnectionStrings.Of(server, $"Persist Security Info={persists};Pooling=false");
            using var connection = Create(kind, text);
            connection.Open();
            using var clone = (DbConnection)((ICloneable)connection).Clone();
            connection.Close();
            Assert.Equal(persists, connection.ConnectionString.Contains(server.Password, StringComparison.Ordinal));
            Assert.Equal(persists, clone.ConnectionString.Contains(server.Password, StringComparison.Ordinal));
            // The clone still has the password.
            clone.Open();
            Assert.Equal(persists, clone.ConnectionString.Contains(server.Password, StringComparison.Ordinal));
            connection.Open();

            var builder = Builder(kind);
            builder.ConnectionString = text;
            Assert.Contains(server.Password, builder.ConnectionString);
            Assert.DoesNotContain(server.Password, ((OptionConnectionStringBuilder)builder).ToStringWithoutSecrets());
            await using DbDataSource source = kind.IsPostgreSql() ? PgDataSource.Create(text) : new MySqlDataSource(text);
            Assert.Equal(persists, source.ConnectionString.Contains(server.Password, StringComparison.Ordinal));
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Failed_logins_and_certificates_do_not_tell(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var isPostgreSql = kind.IsPostgreSql();
        foreach (var options in (string[])
                 [
                     $"Password={Secret}", $"Password={Secret};Database=no_such_database",
                     $"User ID=nobody_here;Password={Secret}".Replace("User ID", isPostgreSql ? "Username" : "User ID", StringComparison.Ordinal),
                     $"Password={Secret};SSL Mode=VerifyFull",
                     isPostgreSql
                         ? $"SSL Mode=Require;SSL Certificate={server.ClientPfx};SSL Password={Secret}"
                         : $"SSL Mode=Required;Certificate File={server.ClientPfx};Certificate Password={Secret}",
                     $"Password={Secret};Application Name=x;{(isPostgreSql ? "Host" : "Server")}=no-such-host.invalid", $"Password={Secret};Port=1",
                 ])
        {
            foreach (var pooled in (bool[])[false, true])
            {
                using var connection =
                    Create(kind, ConnectionStrings.Of(server, $"{options};Pooling={pooled};{(isPostgreSql ? "Timeout" : "Connection Timeout")}=10"));
                AssertSilent(Assert.ThrowsAny<Exception>(connection.Open));
                AssertSilent(await Assert.ThrowsAnyAsync<Exception>(() => connection.OpenAsync()));
            }
        }

        Assert.Empty(watch.Heard);
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    public async Task Tokens_of_callbacks_are_not_told(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        var text = $"Server={server.Host};Port={server.Port};User ID={server.User};Database={server.Database};SSL Mode=None;Allow Public Key Retrieval=true";
        await using var wrong =
            new MySqlDataSourceBuilder(text).UsePeriodicPasswordProvider(static (_, _) => new(Secret), TimeSpan.FromMinutes(1), TimeSpan.Zero).Build();
        AssertSilent(Assert.ThrowsAny<Exception>(wrong.OpenConnection));
        AssertSilent(await Assert.ThrowsAnyAsync<Exception>(async () => await wrong.OpenConnectionAsync()));
        await using var right = new MySqlDataSourceBuilder(text).UseCredentialProvider((_, _) => new(new MySqlCredential(server.Password))).Build();
        await using (var connection = right.OpenConnection())
        {
            foreach (var (type, shown) in Inspection.TextsOf(connection))
                Assert.True(Secrets.Find(shown) is null, $"{type}: {shown}");
            Assert.Null(Secrets.Find(connection.ConnectionString));
        }

        using var asked = new MySqlConnection(text + ";Pooling=false") { ProvidePasswordCallback = static _ => Secret };
        AssertSilent(Assert.ThrowsAny<Exception>(asked.Open));
        Assert.Empty(watch.Heard);
    }

    /// <summary>Best effort: the driver overwrites what it wrote itself; it cannot overwrite strings and the garbage collector's copies.</summary>
    [Theory]
    [InlineData(ServerKind.MySql, "caching_sha2_password")]
    [InlineData(ServerKind.MariaDb, "client_ed25519")]
    [InlineData(ServerKind.PostgreSql, "password")]
    [InlineData(ServerKind.PostgreSql, "scram-sha-256")]
    public async Task No_buffer_holds_the_password_behind_the_login(ServerKind kind, string method)
    {
        var server = await LiveServers.GetAsync(kind);
        var user = server.RequireUser(method);
        var text = ConnectionStrings.Of(
            server,
            $"Password=\"{user.Password}\";{(kind.IsPostgreSql()
                ? $"Username={user.Name};SSL Mode=VerifyFull;Root Certificate={server.CaFile}"
                : $"User ID={user.Name};SSL Mode=VerifyFull;SSL CA={server.CaFile}")};Pooling=false");
        using var connection = (ProviderConnection)Create(kind, text);
        connection.Open();
        var session = (Session)typeof(ProviderConnection)
            .GetProperty("SessionOrNull", BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public)!.GetValue(connection)!;
        var buffers = 0;
        foreach (var buffer in (object[])[session.Wire.Out, session.Wire])
        {
            foreach (var field in buffer.GetType().GetFields(BindingFlags.Instance | BindingFlags.NonPublic))
            {
                if (field.GetValue(buffer) is not byte[] bytes)
                    continue;
                buffers++;
                Assert.True(
                    bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(user.Password)) < 0, $"{buffer.GetType().Name}.{field.Name} holds the password of {method}");
            }
        }

        Assert.True(buffers > 0);
    }

    private static void AssertSilent(Exception exception) =>
        Assert.All(SecretWatch.TextsOf(exception).Append(exception.ToString()), static text => Assert.True(Secrets.Find(text) is null, text));

    private static DbConnection Create(ServerKind kind, string text) => kind.IsPostgreSql() ? new PgConnection(text) : new MySqlConnection(text);

    private static DbConnectionStringBuilder Builder(ServerKind kind) =>
        kind.IsPostgreSql() ? new PgConnectionStringBuilder() : new MySqlConnectionStringBuilder();
}
