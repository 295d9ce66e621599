using System.Data;
using System.Data.Common;

namespace Slipstream.Migrated;

public static class ConnectionCases
{
    public static void A_builder_knows_every_default(Trial t)
    {
        var builder = new MySqlConnectionStringBuilder();
        t.Say("empty", builder.ConnectionString);
        foreach (var property in typeof(MySqlConnectionStringBuilder).GetProperties().OrderBy(static p => p.Name, StringComparer.Ordinal))
        {
            // Members that only one driver has do not matter for a changed using.
            if (Shared.Contains(property.Name) && property.GetIndexParameters().Length == 0)
                t.Try(property.Name, () => property.GetValue(builder) is Enum word ? Convert.ToInt64(word,
                    System.Globalization.CultureInfo.InvariantCulture) : property.GetValue(builder));
        }
    }

    public static void A_builder_reads_and_writes(Trial t)
    {
        var builder = new MySqlConnectionStringBuilder
        {
            Server = "db.example.com", Port = 3307, UserID = "me", Password = "p;w'", Database = "shop", SslMode = MySqlSslMode.Required,
                AllowUserVariables = true, MaximumPoolSize = 7,
            GuidFormat = MySqlGuidFormat.Binary16, ConnectionTimeout = 3, DefaultCommandTimeout = 9, ApplicationName = "app",
                DateTimeKind = MySqlDateTimeKind.Utc, Pooling = false,
        };
        var again = new MySqlConnectionStringBuilder(builder.ConnectionString);
        t.Say("same", again.EquivalentTo(builder));
        t.Say("server", $"{again.Server} {again.Port} {again.UserID} {again.Password} {again.Database} {again.SslMode} {again.AllowUserVariables} "
            + $"{again.MaximumPoolSize}");
        t.Say("options", $"{again.GuidFormat} {again.ConnectionTimeout} {again.DefaultCommandTimeout} {again.ApplicationName} {again.DateTimeKind} "
            + $"{again.Pooling}");
        foreach (var name in new[] { "host", "Data Source", "addr", "uid", "user", "username", "pwd", "initial catalog", "Connect Timeout", "maxpoolsize",
            "CharSet", "Compress", "Nothing At All" })
            t.Try(name, () => again.ContainsKey(name) ? again[name] : "no");
        t.Try("unknown", () => new MySqlConnectionStringBuilder("Nothing=1"));
        t.Try("bad number", () => new MySqlConnectionStringBuilder("Port=abc").Port);
        t.Try("bad flag", () => new MySqlConnectionStringBuilder("Pooling=maybe").Pooling);
        t.Try("bad word", () => new MySqlConnectionStringBuilder("SslMode=Sometimes").SslMode);
        t.Try("yes", () => new MySqlConnectionStringBuilder("Pooling=no").Pooling);
        t.Try("null key", () => again[null!]);
        t.Try("removed", () => again.Remove("Port"));
        t.Say("then", again.Port);
        t.Try("an old word", () => new MySqlConnectionStringBuilder("Ssl Mode=None").SslMode);
        t.Try("bad in a connection", () => new MySqlConnection("Nothing=1").Open());
    }

    public static void States_are_told(Trial t)
    {
        using var c = new MySqlConnection(t.ConnectionString);
        var told = new List<string>();
        c.StateChange += (_, e) => told.Add($"{e.OriginalState}->{e.CurrentState}");
        t.Say("new", $"{c.State} {c.Database} {c.DataSource == new MySqlConnectionStringBuilder(t.ConnectionString).Server} {c.ConnectionTimeout}");
        t.Try("version when closed", () => c.ServerVersion);
        c.Open();
        t.Say("open", $"{c.State} {c.Database} {c.ServerThread > 0} {c.CanCreateBatch}");
        t.Try("opened again", () => c.Open());
        t.Say("ping", c.Ping());
        // MariaDB 11 sends its version without a prefix.
        if (t.IsMariaDb && !c.ServerVersion.StartsWith("11", StringComparison.Ordinal))
            t.Differs("version", c.ServerVersion.StartsWith("5.5.5-", StringComparison.Ordinal), "`ServerVersion`", "the server's own version");
        else
            t.Say("version", c.ServerVersion);
        c.Close();
        t.Say("closed", c.State);
        t.Say("no ping", c.Ping());
        c.Close();
        c.Open();
        c.Dispose();
        t.Say("told", told);
        t.Try("opened when disposed", () => c.Open());
        t.Try("no string", () => new MySqlConnection().Open());
        t.Try("null", () => new MySqlConnection((string?)null).ConnectionString);
    }

    public static void Another_database(Trial t)
    {
        using var c = t.Open();
        c.Do($"CREATE DATABASE {t.Database}_2");
        try
        {
            c.ChangeDatabase(t.Database + "_2");
            t.Say("changed", $"{c.Database} {c.Scalar("SELECT DATABASE()")}");
            t.Try("empty", () => c.ChangeDatabase(""));
            c.Do($"USE {t.Database}");
            t.Say("by SQL", c.Database);
            c.ChangeDatabase(t.Database + "_2");
            c.Close();
            c.Open();
            t.Say("opened again", $"{c.Database} {c.Scalar("SELECT DATABASE()")}");
        }
        finally
        {
            c.Do($"DROP DATABASE {t.Database}_2");
        }
    }

    public static void Copies(Trial t)
    {
        using var c = new MySqlConnection(t.ConnectionString + ";Default Command Timeout=12");
        using (var copy = c.Clone())
        {
            copy.Open();
            t.Say("copy", $"{copy.CreateCommand().CommandTimeout} {copy.Database}");
        }

        using (var other = c.CloneWith("Default Command Timeout=5"))
            t.Say("with", other.CreateCommand().CommandTimeout);
        t.Try("through the interface", () => ((ICloneable)c).Clone());
    }

    public static void Clean_out_of_the_pool(Trial t)
    {
        var options = "Maximum Pool Size=1;Allow User Variables=true";
        using (var c = t.Open(options))
        {
            c.Do("CREATE TABLE kept (id INT PRIMARY KEY AUTO_INCREMENT)");
            c.Do("SET @mine = 5, time_zone = '+05:00', sql_mode = 'ANSI_QUOTES'");
            c.Do("CREATE TEMPORARY TABLE mine (i INT)");
            c.Do("INSERT INTO kept VALUES ()");
            c.Do("SELECT GET_LOCK('mine', 0)");
            c.Do("START TRANSACTION");
            c.Do("INSERT INTO kept VALUES ()");
        }

        using (var c = t.Open(options))
        {
            t.Say("variable", c.Scalar("SELECT @mine"));
            t.Say("zone", c.Scalar("SELECT @@time_zone"));
            t.Say("mode", c.Scalar("SELECT @@sql_mode LIKE '%ANSI_QUOTES%'"));
            t.Try("table", () => c.Scalar("SELECT COUNT(*) FROM mine"));
            t.Say("lock", c.Scalar("SELECT IS_FREE_LOCK('mine')"));
            t.Say("rows", c.Scalar("SELECT COUNT(*) FROM kept"));
            t.Say("id", c.Scalar("SELECT LAST_INSERT_ID()"));
        }
    }

    public static async Task Reset_by_hand(Trial t)
    {
        await using var c = t.Open("Allow User Variables=true");
        c.Do("SET @x = 1");
        await c.ResetConnectionAsync();
        t.Say("variable", c.Scalar("SELECT @x"));
        t.Say("database", c.Scalar("SELECT DATABASE()"));
    }

    public static async Task A_data_source(Trial t)
    {
        var builder = new MySqlDataSourceBuilder(t.ConnectionString);
        var opened = new List<string>();
        builder.UseName("shop").UseConnectionOpenedCallback((context, _) =>
        {
            opened.Add($"{context.Conditions}");
            using var command = new MySqlCommand("SET time_zone = '+03:00'", context.Connection);
            command.ExecuteNonQuery();
            return default;
        });
        await using var source = builder.Build();
        await using (var c = await source.OpenConnectionAsync())
            t.Say("zone", c.Scalar("SELECT @@time_zone"));
        using (var c = source.OpenConnection())
            t.Say("zone again", c.Scalar("SELECT @@time_zone"));
        await using (var command = source.CreateCommand("SELECT @a"))
        {
            command.Parameters.Add(new MySqlParameter("@a", 5));
            t.Say("command", await command.ExecuteScalarAsync());
        }

        await using (var batch = source.CreateBatch())
        {
            batch.BatchCommands.Add(new MySqlBatchCommand("SELECT 1"));
            t.Say("batch", await batch.ExecuteScalarAsync());
        }

        t.Say("opened", opened);
    }

    public static void The_opened_callback_in_a_scope(Trial t)
    {
        var opened = new List<string>();
        using var source = new MySqlDataSourceBuilder(t.ConnectionString).UseConnectionOpenedCallback((context, _) =>
        {
            opened.Add($"{context.Conditions}");
            return default;
        }).Build();
        using (var scope = new System.Transactions.TransactionScope())
        {
            using (var c = source.OpenConnection())
                c.Do("DO 1");
            using (var c = source.OpenConnection())
                c.Do("DO 1");
            scope.Complete();
        }

        using (var c = source.OpenConnection())
            c.Do("DO 1");
        t.Say("opened", opened);
        using var keeping = new MySqlDataSourceBuilder(t.ConnectionString + ";Connection Reset=false").UseConnectionOpenedCallback((context, _) =>
        {
            opened.Add($"{context.Conditions}");
            return default;
        }).Build();
        opened.Clear();
        for (var i = 0; i < 2; i++)
            keeping.OpenConnection().Dispose();
        t.Say("without reset", opened);
    }

    public static void A_password_from_code(Trial t)
    {
        var builder = new MySqlConnectionStringBuilder(t.ConnectionString);
        var password = builder.Password;
        builder.Password = "";
        var asked = new List<string>();
        using (var c = new MySqlConnection(builder.ConnectionString))
        {
            c.ProvidePasswordCallback = context =>
            {
                asked.Add($"{context.Server == builder.Server} {context.Port == builder.Port} {context.UserId == builder.UserID} {context.Database}");
                return password;
            };
            c.Open();
            t.Say("works", c.Scalar("SELECT 1"));
        }

        t.Say("asked", asked);
        using (var c = new MySqlConnection(builder.ConnectionString + ";Pooling=false"))
        {
            c.ProvidePasswordCallback = _ => throw new InvalidOperationException("no password today");
            try
            {
                c.Open();
            }
            catch (MySqlException e)
            {
                t.Say("refused", $"{e.ErrorCode} {e.InnerException?.GetType().Name}");
            }
        }

        using var source = new MySqlDataSourceBuilder(builder.ConnectionString)
            .UsePeriodicPasswordProvider((_, _) => new ValueTask<string>(password), TimeSpan.FromMinutes(1), TimeSpan.FromSeconds(1)).Build();
        using (var c = source.OpenConnection())
            t.Say("periodic", c.Scalar("SELECT 1"));
    }

    public static void By_the_factory(Trial t)
    {
        var factory = MySqlConnectorFactory.Instance;
        t.Say("can", $"{factory.CanCreateBatch} {factory.CanCreateCommandBuilder} {factory.CanCreateDataAdapter} {factory.CanCreateDataSourceEnumerator}");
        using DbConnection c = factory.CreateConnection()!;
        c.ConnectionString = t.ConnectionString;
        c.Open();
        using var command = c.CreateCommand();
        command.CommandText = "SELECT @a + 1";
        var parameter = factory.CreateParameter()!;
        parameter.ParameterName = "@a";
        parameter.Value = 1;
        command.Parameters.Add(parameter);
        t.Say("value", command.ExecuteScalar());
        t.Say("of a connection", DbProviderFactories.GetFactory(c)?.GetType().Name);
        using var source = factory.CreateDataSource(t.ConnectionString);
        using var opened = source.OpenConnection();
        t.Say("source", opened.State);
    }

    public static void The_password_is_hidden(Trial t)
    {
        using var c = new MySqlConnection(t.ConnectionString);
        t.Say("before", c.ConnectionString.Contains("Password=", StringComparison.OrdinalIgnoreCase));
        c.Open();
        t.Say("behind", c.ConnectionString.Contains("Password=", StringComparison.OrdinalIgnoreCase));
        using var kept = t.Open("Persist Security Info=true");
        t.Say("kept", kept.ConnectionString.Contains("Password=", StringComparison.OrdinalIgnoreCase));
        using var source = new MySqlDataSourceBuilder(t.ConnectionString).Build();
        t.Differs(
            "of a data source", source.ConnectionString.Contains("Password=", StringComparison.OrdinalIgnoreCase), "connection strings of a data source",
            "a password that is never shown cannot be logged");
        using var told = new MySqlDataSourceBuilder(t.ConnectionString + ";Persist Security Info=true").Build();
        t.Say("of one that may tell", told.ConnectionString.Contains("Password=", StringComparison.OrdinalIgnoreCase));
        using var again = new MySqlConnection(told.ConnectionString);
        again.Open();
        t.Say("opens", again.State);
    }

    public static void Collections_of_the_schema(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE person (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(40) NOT NULL, born DATE)");
        c.Do("CREATE INDEX by_name ON person (name)");
        var tables = c.GetSchema("Tables", [null!, t.Database]);
        t.Say("tables", tables.Rows.Cast<DataRow>().Select(static row => $"{row["TABLE_NAME"]} {row["TABLE_TYPE"]} {row["ENGINE"]}"));
        var columns = c.GetSchema("Columns", [null!, t.Database, "person"]);
        t.Say("columns", columns.Select("", "ORDINAL_POSITION").Select(static row => $"{row["COLUMN_NAME"]} {row["ORDINAL_POSITION"]} {row["IS_NULLABLE"]} "
            + $"{row["DATA_TYPE"]} {row["COLUMN_KEY"]}"));
        t.Try("nobody", () => c.GetSchema("Nobody"));
        t.Try("too many restrictions", () => c.GetSchema("Tables", [null!, null!, null!, null!, null!, null!]));
        t.Say("types", c.GetSchema("DataTypes").Rows.Count > 20);
        t.Say("collections", c.GetSchema().Columns.Cast<DataColumn>().Select(static column => column.ColumnName));
    }

    private static readonly HashSet<string> Shared =
    [
        "AllowLoadLocalInfile", "AllowPublicKeyRetrieval", "AllowUserVariables", "AllowZeroDateTime", "ApplicationName", "AutoEnlist", "CancellationTimeout",
        "CertificateFile", "CertificatePassword",
        "CertificateStoreLocation", "CertificateThumbprint", "CharacterSet", "ConnectionIdleTimeout", "ConnectionLifeTime", "ConnectionProtocol",
        "ConnectionReset", "ConnectionTimeout",
        "ConvertZeroDateTime", "Database", "DateTimeKind", "DefaultCommandTimeout", "DeferConnectionReset", "DnsCheckInterval", "ForceSynchronous",
        "GuidFormat", "IgnoreCommandTransaction",
        "IgnorePrepare", "InteractiveSession", "Keepalive", "LoadBalance", "MaximumPoolSize", "MinimumPoolSize", "NoBackslashEscapes", "OldGuids", "Password",
        "PersistSecurityInfo", "PipeName",
        "Pipelining", "Pooling", "Port", "Server", "ServerRedirectionMode", "ServerRsaPublicKeyFile", "ServerSPN", "SslCa", "SslCert", "SslKey", "SslMode",
        "TlsCipherSuites", "TlsVersion",
        "TreatTinyAsBoolean", "UseAffectedRows", "UseCompression", "UseXaTransactions", "UserID",
    ];
}
