namespace Slipstream.Tool.Tests;

/// <summary>Aliases of a driver's namespaces, and branches of <c>#if</c>.</summary>
public sealed class MigrateAliasTests
{
    [Theory]
    [InlineData("using N = Npgsql;\nclass A { N.NpgsqlConnection? C; object O = new N.NpgsqlParameter<int>(\"a\", 1); }\n",
        "using N = Slipstream.PostgreSql;\nclass A { N.PgConnection? C; object O = new N.PgParameter<int>(\"a\", 1); }\n")]
    [InlineData("using T = NpgsqlTypes;\nclass A { T.NpgsqlDbType D = T.NpgsqlDbType.Integer; T::NpgsqlPoint P; }\n",
        "using T = Slipstream.PostgreSql;\nclass A { T.PgDbType D = T.PgDbType.Integer; T::PgPoint P; }\n")]
    [InlineData("using N = Npgsql;\nclass A { string S = nameof(N.NpgsqlConnection.Open); void M() => N.NpgsqlConnection.ClearAllPools(); }\n",
        "using N = Slipstream.PostgreSql;\nclass A { string S = nameof(N.PgConnection.Open); void M() => N.PgConnection.ClearAllPools(); }\n")]
    // A namespace below the alias may have another place in Slipstream.
    [InlineData("using N = Npgsql;\nclass A { N.NameTranslation.NpgsqlNullNameTranslator? T; }\n",
        "using N = Slipstream.PostgreSql;\nclass A { Slipstream.PostgreSql.PgNullNameTranslator? T; }\n")]
    [InlineData("using N = Npgsql;\nclass A { void M() { try { } catch (N.PostgresException) { } catch (N.NpgsqlException) { } } }\n",
        "using N = Slipstream.PostgreSql;\nclass A { void M() { try { } catch (N.PgException pgException) when (pgException.SqlState is not null) { } "
            + "catch (N.PgException) { } } }\n")]
    public async Task An_alias_of_Npgsqls_namespace_becomes(string before, string after)
    {
        using var folder = TemporaryFolder.With("Npgsql", before);
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(after, folder.Text("App.cs"));
        Assert.Contains("\"automatic\": 0,", (await Run.ToolAsync("migrate", folder.Path, "--json")).Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("MySqlConnector", "using Db = MySqlConnector;\nclass A { Db.MySqlConnection? C; }\n",
        "using Db = Slipstream.MySql;\nclass A { Db.MySqlConnection? C; }\n")]
    [InlineData("MySqlConnector", "namespace N;\nusing Db = global::MySqlConnector;\nclass A { Db::MySqlConnection? C; }\n",
        "namespace N;\nusing Db = Slipstream.MySql;\nclass A { Db::MySqlConnection? C; }\n")]
    [InlineData("MySql.Data", "using Client = MySql.Data.MySqlClient;\nclass A { object O = Client.MySqlClientFactory.Instance; }\n",
        "using Client = Slipstream.MySql;\nclass A { object O = Client.MySqlConnectorFactory.Instance; }\n")]
    // The alias of a type is not that of a namespace.
    [InlineData("MySqlConnector", "using C = MySqlConnector.MySqlConnection;\nclass A { C? D; }\n",
        "using C = Slipstream.MySql.MySqlConnection;\nclass A { C? D; }\n")]
    public async Task An_alias_of_a_namespace_for_MySQL_becomes(string package, string before, string after)
    {
        using var folder = TemporaryFolder.With(package, before);
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(after, folder.Text("App.cs"));
    }

    [Fact]
    public async Task An_alias_for_the_whole_project_applies_to_every_file()
    {
        using var folder = TemporaryFolder.With("Npgsql", "class A { N.NpgsqlConnection? C; }\n");
        await File.WriteAllTextAsync(folder["Usings.cs"], "global using N = Npgsql;\n", TestContext.Current.CancellationToken);
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal("global using N = Slipstream.PostgreSql;\n", folder.Text("Usings.cs"));
        Assert.Equal("class A { N.PgConnection? C; }\n", folder.Text("App.cs"));
    }

    [Fact]
    public async Task An_alias_of_the_servers_exception_is_to_be_reviewed()
    {
        using var folder = TemporaryFolder.With("Npgsql", "using E = Npgsql.PostgresException;\nclass A { void M() { try { } catch (E) { } } }\n");
        var (_, output, _) = await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.StartsWith("using E = Slipstream.PostgreSql.PgException;\n", folder.Text("App.cs"), StringComparison.Ordinal);
        Assert.Contains("App.cs:1:33:  review  PostgresException becomes PgException, which errors of the connection are", output, StringComparison.Ordinal);
    }

    // A symbol of the project decides as it does for the compiler.
    [Fact]
    public async Task A_branch_whose_symbol_the_project_defines_is_changed()
    {
        const string Code = "#if POSTGRES\nusing Npgsql;\n#else\nusing MySqlConnector;\n#endif\nclass A { }\n";
        using var folder = TemporaryFolder.With("Npgsql", Code);
        await File.WriteAllTextAsync(
            folder["App.csproj"],
            folder.Text("App.csproj").Replace(
                "</PropertyGroup>", "<DefineConstants>$(DefineConstants);POSTGRES</DefineConstants></PropertyGroup>", StringComparison.Ordinal),
            TestContext.Current.CancellationToken);
        var (_, output, _) = await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(Code.Replace("Npgsql", "Slipstream.PostgreSql", StringComparison.Ordinal), folder.Text("App.cs"));
        Assert.Matches(@"App.cs:4:7:  by hand  This branch of #if is not compiled", output);
    }

    // Latin-1 text after the mark of UTF-8: what the mark promises is not what the file has.
    [Fact]
    public async Task Bytes_that_are_not_of_the_encoding_stay()
    {
        static byte[] Bytes(string space) => [0xEF, 0xBB, 0xBF, .. System.Text.Encoding.Latin1.GetBytes($"using {space};\n// Größe\nclass A {{ }}\n")];
        using var folder = TemporaryFolder.With("MySqlConnector", "");
        await File.WriteAllBytesAsync(folder["App.cs"], Bytes("MySqlConnector"), TestContext.Current.CancellationToken);
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(Bytes("Slipstream.MySql"), await File.ReadAllBytesAsync(folder["App.cs"], TestContext.Current.CancellationToken));
    }
}
