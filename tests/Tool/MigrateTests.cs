using System.Text;
using System.Text.Json;
using Slipstream.Tool.Migrate;

namespace Slipstream.Tool.Tests;

/// <summary>Single rules of migrate.</summary>
public sealed class MigrateTests
{
    [Theory]
    [InlineData("utf8", "\n")]
    [InlineData("utf8-bom", "\r\n")]
    [InlineData("utf16", "\r\n")]
    [InlineData("latin1", "\n")]
    public async Task Encoding_mark_and_line_ends_stay(string name, string end)
    {
        Encoding encoding = name switch
        {
            "utf8" => new UTF8Encoding(false),
            "utf8-bom" => new UTF8Encoding(true),
            "utf16" => Encoding.Unicode,
            _ => Encoding.Latin1,
        };
        byte[] Bytes(string space) =>
            [.. encoding.GetPreamble(), .. encoding.GetBytes($"using System;{end}using {space};{end}{end}// Grüße{end}class A {{ }}{end}")];
        using var folder = TemporaryFolder.With("MySqlConnector", "");
        await File.WriteAllBytesAsync(folder["App.cs"], Bytes("MySqlConnector"), TestContext.Current.CancellationToken);
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(Bytes("Slipstream.MySql"), await File.ReadAllBytesAsync(folder["App.cs"], TestContext.Current.CancellationToken));
    }

    [Theory]
    [InlineData("using NpgsqlTypes;\nclass A { NpgsqlDbType T; }\n", "using Slipstream.PostgreSql;\nclass A { PgDbType T; }\n")]
    [InlineData("using Npgsql;\nusing NpgsqlTypes;\nclass A { }\n", "using Slipstream.PostgreSql;\nclass A { }\n")]
    [InlineData("global using Npgsql;\nclass A { NpgsqlPoint P; }\n", "global using Slipstream.PostgreSql;\nclass A { PgPoint P; }\n")]
    [InlineData("using Npgsql.Replication;\nclass A { }\n", "using Slipstream.PostgreSql.Replication;\nclass A { }\n")]
    [InlineData("namespace N\n{\n    using Npgsql;\n    class A { }\n}\n", "namespace N\n{\n    using Slipstream.PostgreSql;\n    class A { }\n}\n")]
    [InlineData("class A { Npgsql.NpgsqlConnection? C; }\n", "class A { Slipstream.PostgreSql.PgConnection? C; }\n")]
    [InlineData("class A { global::Npgsql.SslMode M; }\n", "class A { global::Slipstream.PostgreSql.SslMode M; }\n")]
    [InlineData("using static Npgsql.PostgresErrorCodes;\nclass A { }\n", "using static Slipstream.PostgreSql.PgErrorCodes;\nclass A { }\n")]
    // A name of the program's own stays.
    [InlineData("using Npgsql;\nclass NpgsqlRange { NpgsqlRange? R; }\n", "using Slipstream.PostgreSql;\nclass NpgsqlRange { NpgsqlRange? R; }\n")]
    [InlineData(
        "using Npgsql;\nclass A { void M() { try { } catch (PostgresException) { } } }\n",
        "using Slipstream.PostgreSql;\nclass A { void M() { try { } catch (PgException pgException) when (pgException.SqlState is not null) { } } }\n")]
    [InlineData(
        "using Npgsql;\nclass A { NpgsqlConnection NpgsqlConnection { get; } = new NpgsqlConnection(); }\n",
        "using Slipstream.PostgreSql;\nclass A { PgConnection NpgsqlConnection { get; } = new PgConnection(); }\n")]
    public async Task Code_for_Npgsql_becomes(string before, string after)
    {
        using var folder = TemporaryFolder.With("Npgsql", before);
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(after, folder.Text("App.cs"));
    }

    [Theory]
    [InlineData("using MySqlConnector;\r\nclass A { }\r\n", "using Slipstream.MySql;\r\nclass A { }\r\n")]
    [InlineData("// The licence.\n\nusing MySqlConnector;\nclass A { }\n", "// The licence.\n\nusing Slipstream.MySql;\nclass A { }\n")]
    [InlineData("using MySqlConnector.Logging;\nclass A { }\n", "class A { }\n")]
    [InlineData("class A { object O = typeof(MySqlConnector.MySqlConnection); }\n", "class A { object O = typeof(Slipstream.MySql.MySqlConnection); }\n")]
    // Another namespace that only contains the word.
    [InlineData("class A { object O = typeof(Mine.MySqlConnector.Thing); }\n", "class A { object O = typeof(Mine.MySqlConnector.Thing); }\n")]
    [InlineData("class A { string S = $\"MySqlConnector.MySqlConnection {1}\"; }\n", "class A { string S = $\"MySqlConnector.MySqlConnection {1}\"; }\n")]
    public async Task Code_for_MySqlConnector_becomes(string before, string after)
    {
        using var folder = TemporaryFolder.With("MySqlConnector", before);
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(after, folder.Text("App.cs"));
    }

    [Fact]
    public async Task With_aliases_for_Npgsql_only_generic_types_change()
    {
        using var folder = TemporaryFolder.With("Npgsql", "using Npgsql;\nclass A { NpgsqlConnection? C; NpgsqlParameter<int>? P; }\n");
        await File.WriteAllTextAsync(
            folder["Directory.Build.props"], "<Project><PropertyGroup><SlipstreamNpgsqlNames>true</SlipstreamNpgsqlNames></PropertyGroup></Project>\n",
            TestContext.Current.CancellationToken);
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal("using Npgsql;\nclass A { NpgsqlConnection? C; PgParameter<int>? P; }\n", folder.Text("App.cs"));
    }

    [Theory]
    [InlineData("MySqlConnector", "using MySqlConnector;\nclass A { void M(MySqlCommand c) => c.Prepare(); }\n", "review",
        "`Prepare()`: in MySqlConnector, takes a round trip")]
    [InlineData("MySqlConnector", "using MySqlConnector;\nclass A { object O = new System.Transactions.TransactionScope(); }\n", "review",
        "`TransactionScope` with XA")]
    [InlineData("MySql.Data", "using MySql.Data.MySqlClient;\nclass A { void M(MySqlConnection c) => c.CancelQuery(1); }\n", "by hand",
        "`MySqlCommand.Cancel`")]
    [InlineData("Npgsql", "using Npgsql;\nclass A { void M(NpgsqlDataSourceBuilder b) => b.AddTypeInfoResolverFactory(null!); }\n", "by hand", "use `MapType`")]
    [InlineData("Npgsql", "using Npgsql;\nclass A { string C = \"Host=a,b;Username=u;Multiplexing=true\"; }\n", "by hand", "Multiplexing")]
    [InlineData("Npgsql", "class A { string N = \"Npgsql.NpgsqlConnection, Npgsql\"; }\n", "by hand", "names a driver")]
    [InlineData("Npgsql", "#if NETFRAMEWORK\nusing Npgsql;\n#endif\nclass A { }\n", "by hand", "not compiled")]
    [InlineData("Npgsql", "using Npgsql.Internal;\nclass A { }\n", "by hand", "no counterpart")]
    [InlineData("MySqlConnector", "class A { void M(dynamic b) => b.AddSource(\"MySqlConnector\"); }\n", "by hand", "\"Slipstream.MySql\"")]
    [InlineData("Npgsql", "class A { string S = \"Npgsql.EnableLegacyTimestampBehavior\"; }\n", "by hand", "The switch")]
    [InlineData("Npgsql", "using Npgsql;\nclass A { NpgsqlMetricsOptions? M; }\n", "by hand", "NpgsqlMetricsOptions has no counterpart")]
    [InlineData("linq2db", "class A { }\n", "review", "Slipstream.Compat.MySqlConnector")]
    [InlineData("Npgsql.EntityFrameworkCore.PostgreSQL", "class A { }\n", "review", "keep Npgsql")]
    public async Task A_sign_is_reported(string package, string source, string kind, string text)
    {
        using var folder = TemporaryFolder.With(package, source);
        var (_, output, _) = await Run.ToolAsync("migrate", folder.Path);
        Assert.Contains(output.Split('\n'), line => line.Contains($"  {kind}  ", StringComparison.Ordinal) && line.Contains(text, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_change_by_hand_is_still_reported_after_the_migration()
    {
        using var folder = TemporaryFolder.With("MySql.Data", "using MySql.Data.MySqlClient;\nclass A { void M(MySqlConnection c) => c.CancelQuery(1); }\n");
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        var (code, output, _) = await Run.ToolAsync("migrate", folder.Path);
        Assert.Equal(1, code);
        Assert.Contains("App.cs:2:42:  by hand", output, StringComparison.Ordinal);
    }

    // The imports become one, so that the rest moves up a line; the name before the call becomes shorter.
    [Fact]
    public async Task After_the_changes_a_place_is_that_in_the_changed_file()
    {
        using var folder = TemporaryFolder.With(
            "Npgsql", "using Npgsql;\nusing NpgsqlTypes;\nclass A { void M(NpgsqlDataSourceBuilder b) => b.AddTypeInfoResolverFactory(null!); }\n");
        var (_, output, _) = await Run.ToolAsync("migrate", folder.Path, "--apply");
        var column = folder.Text("App.cs").Split('\n')[1].IndexOf("AddTypeInfo", StringComparison.Ordinal) + 1;
        Assert.Contains($"App.cs:2:{column}:  by hand", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_connection_string_that_the_driver_refuses_is_reported_without_its_password()
    {
        using var folder = TemporaryFolder.Of("MySqlConnector");
        var (_, output, _) = await Run.ToolAsync("migrate", folder.Path);
        Assert.Contains("Shop/appsettings.json:6:13:  by hand", output, StringComparison.Ordinal);
        Assert.Contains("Pooling", output, StringComparison.Ordinal);
        Assert.Contains("Shop/appsettings.json:5:13:  review  `Use Compression`", output, StringComparison.Ordinal);
        Assert.Contains("The log category MySqlConnector has another name", output, StringComparison.Ordinal);
        Assert.DoesNotContain("fixture-secret", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_old_framework_and_packages_config_are_reported()
    {
        using var folder = TemporaryFolder.Of("MySqlData");
        await File.WriteAllTextAsync(
            folder["Shop/packages.config"], "<packages>\n  <package id=\"MySql.Data\" version=\"8.0.0\" />\n</packages>\n",
                TestContext.Current.CancellationToken);
        var (_, output, _) = await Run.ToolAsync("migrate", folder.Path);
        Assert.Contains("Shop/Shop.csproj:3:5:  by hand  net8.0: Slipstream needs .NET 10", output, StringComparison.Ordinal);
        Assert.Contains("Shop/packages.config:2:3:  by hand", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_JSON_document_has_a_stable_form()
    {
        using var folder = TemporaryFolder.With("Npgsql", "using Npgsql;\nclass A { }\n");
        var (code, output, _) = await Run.ToolAsync("migrate", folder.Path, "--json");
        Assert.Equal(1, code);
        using var document = JsonDocument.Parse(output);
        var root = document.RootElement;
        Assert.Equal(
            ["schema", "command", "root", "projects", "files", "drivers", "packageVersion", "applied", "filesWritten", "summary", "findings", "exitCode"],
            root.EnumerateObject().Select(static one => one.Name));
        Assert.Equal(1, root.GetProperty("schema").GetInt32());
        Assert.Equal("Npgsql", Assert.Single(root.GetProperty("drivers").EnumerateArray()).GetString());
        var finding = root.GetProperty("findings").EnumerateArray().First(static one => one.GetProperty("rule").GetString() == "namespace");
        Assert.Equal(["file", "line", "column", "kind", "rule", "what", "docs", "applied"], finding.EnumerateObject().Select(static one => one.Name));
        Assert.Equal(("App.cs", 1, 1, "automatic"), (
            finding.GetProperty("file").GetString(), finding.GetProperty("line").GetInt32(), finding.GetProperty("column").GetInt32(),
            finding.GetProperty("kind").GetString()));
    }

    // What lies above the repository belongs to others, and a nearer file hides one further up.
    [Fact]
    public async Task Shared_files_are_read_up_to_the_root_of_the_repository()
    {
        const string Versions = "<Project><ItemGroup><PackageVersion Include=\"Npgsql\" Version=\"10.0.3\" /></ItemGroup></Project>";
        using var folder = new TemporaryFolder();
        foreach (var (name, text) in ((string, string)[])[
            ("Directory.Packages.props", Versions), ("repository/.git/HEAD", ""), ("repository/Directory.Packages.props", Versions),
            ("repository/hidden/Directory.Packages.props", Versions), ("repository/hidden/near/Directory.Packages.props", "<Project />"),
            ("repository/src/App/App.csproj", "<Project><ItemGroup><PackageReference Include=\"Npgsql\" /></ItemGroup></Project>"),
            ("repository/hidden/near/Lib.csproj", "<Project />"),
            ("repository/App.sln", """
                Microsoft Visual Studio Solution File, Format Version 12.00
                Project("{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}") = "App", "src\App\App.csproj", "{D1F44B7C-1111-2222-3333-444455556666}"
                EndProject
                Project("{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}") = "Lib", "hidden\near\Lib.csproj", "{D1F44B7C-1111-2222-3333-444455556667}"
                EndProject
                """)])
        {
            Directory.CreateDirectory(Path.GetDirectoryName(folder[name])!);
            File.WriteAllText(folder[name], text);
        }

        var (_, output, error) = await Run.ToolAsync("migrate", folder["repository/App.sln"], "--apply");
        Assert.Equal("", error);
        Assert.Contains("2 changes made in 2 files", output, StringComparison.Ordinal);
        Assert.Contains("Slipstream.PostgreSql", folder.Text("repository/Directory.Packages.props"), StringComparison.Ordinal);
        Assert.Equal(Versions, folder.Text("Directory.Packages.props"));
        Assert.Equal(Versions, folder.Text("repository/hidden/Directory.Packages.props"));
    }

    [Fact]
    public async Task A_solution_without_a_driver_has_nothing_to_change()
    {
        using var folder = TemporaryFolder.With("Dapper", "class A { }\n");
        var (code, output, _) = await Run.ToolAsync("migrate", folder.Path);
        Assert.Equal((0, "No reference to MySqlConnector, MySql.Data, Pomelo or Npgsql in 1 project.\n"), (code, output));
    }

    [Theory]
    [InlineData("no-such-folder")]
    [InlineData("text.txt")]
    [InlineData(".")]
    public async Task What_is_not_a_solution_ends_with_2(string path)
    {
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(folder["text.txt"], "text", TestContext.Current.CancellationToken);
        var (code, output, error) = await Run.ToolAsync("migrate", folder[path]);
        Assert.Equal((2, ""), (code, output));
        Assert.StartsWith("slipstream: ", error, StringComparison.Ordinal);
    }

    // The facts are those of docs/migrating.md: every sign leads to a row of it.
    [Fact]
    public void Every_sign_and_every_option_has_its_row_in_the_guide()
    {
        Assert.All(Signs.All, static sign => Assert.NotEmpty(sign.Row.Here));
        Assert.All(ConnectionTexts.Differences, static one => Assert.NotEmpty(GuidePage.Row(one.Driver, one.Subject).Here));
    }

    [Fact]
    public void The_guide_is_the_page_of_the_documentation()
    {
        var page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "migrating.md"));
        Assert.True(GuidePage.Rows.Count > 200);
        Assert.All(GuidePage.Rows, row => Assert.Contains(row.Subject.Split(" …")[0].Split('`', ' ')[^1], page, StringComparison.Ordinal));
        // A row whose middle cell is empty says only what Slipstream does.
        Assert.All(GuidePage.Rows, static row => Assert.DoesNotContain("| ", row.Text, StringComparison.Ordinal));
        var anchors = Repository.AnchorsOf("migrating.md");
        Assert.All(GuidePage.Rows, row => Assert.Contains(row.Page.Split('#')[1], anchors));
    }

    // A type of Npgsql either has a name here, or keeps its name, or docs/migrating.md says that it does not exist.
    [Fact]
    public void Every_public_type_of_Npgsql_is_known()
    {
        var guide = File.ReadAllText(Path.Combine(Repository.Root, "docs", "migrating.md"));
        var unknown = typeof(Npgsql.NpgsqlConnection).Assembly.GetExportedTypes()
            .Where(static type => type is { IsNested: false, Namespace: "Npgsql" or "NpgsqlTypes" or "Npgsql.NameTranslation" or "Npgsql.Replication" })
            .Select(static type => type.Name.Split('`')[0])
            .Where(name => !Names.NpgsqlTypes.ContainsKey(name) && !Names.SlipstreamTypes.Contains(name)
                && !Names.LeftOutOfNpgsql.Contains(name) && !guide.Contains(name, StringComparison.Ordinal))
            .Distinct().ToList();
        Assert.Empty(unknown);
        Assert.All(Names.NpgsqlTypes.Values, static name => Assert.Contains(name, Names.SlipstreamTypes));
    }

    [Fact]
    public void Every_public_type_of_MySqlConnector_exists_or_is_in_the_guide()
    {
        var guide = File.ReadAllText(Path.Combine(Repository.Root, "docs", "migrating.md"));
        Assert.DoesNotContain(
            typeof(MySqlConnector.MySqlConnection).Assembly.GetExportedTypes().Select(static type => type.Name.Split('`')[0]),
            name => !Names.SlipstreamTypes.Contains(name) && !guide.Contains(name, StringComparison.Ordinal));
        Assert.All(Names.MySqlDataTypes.Values, static name => Assert.Contains(name, Names.SlipstreamTypes));
    }
}
