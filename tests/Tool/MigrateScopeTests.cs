namespace Slipstream.Tool.Tests;

/// <summary>Which files of a solution migrate reads, and which projects stay with Npgsql.</summary>
public sealed class MigrateScopeTests
{
    private const string Old = "using Npgsql;\nclass A { NpgsqlConnection? C; }\n";
    private const string New = "using Slipstream.PostgreSql;\nclass A { PgConnection? C; }\n";

    // MSBuild compiles all of them.
    [Theory]
    [InlineData("Packages/Repository.cs")]
    [InlineData("Artifacts/Repository.cs")]
    [InlineData("TestResults/Repository.cs")]
    [InlineData("Data/bin/Repository.cs")]
    public async Task Every_folder_that_a_project_compiles_is_read(string name)
    {
        using var folder = TemporaryFolder.With("Npgsql", "class B { }\n");
        folder.Add(name, Old);
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(New, folder.Text(name));
    }

    [Theory]
    [InlineData("bin/Debug/Copy.cs")]
    [InlineData("obj/Debug/Generated.cs")]
    [InlineData("artifacts/obj/App/Generated.cs")]
    [InlineData(".hidden/Copy.cs")]
    public async Task A_folder_of_output_is_not_read(string name)
    {
        using var folder = TemporaryFolder.With("Npgsql", "class B { }\n");
        folder.Add(name, Old);
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(Old, folder.Text(name));
    }

    [Theory]
    [InlineData(@"..\Shared\Linked.cs")]
    [InlineData("../Shared/*.cs")]
    [InlineData("Missing.cs;$(MSBuildProjectDirectory)/../Shared/L*.cs")]
    [InlineData("$(MSBuildThisFileDirectory)../Shared/**/*.cs")]
    public async Task A_file_that_a_project_includes_from_another_folder_is_read(string include)
    {
        using var folder = new TemporaryFolder();
        folder.Add("App/App.csproj", TemporaryFolder.Project($"<PackageReference Include=\"Npgsql\" Version=\"9.0.0\" /><Compile Include=\"{include}\" />"));
        folder.Add("Shared/Linked.cs", Old);
        await Run.ToolAsync("migrate", folder["App/App.csproj"], "--apply");
        Assert.Equal(New, folder.Text("Shared/Linked.cs"));
    }

    [Fact]
    public async Task A_file_that_is_a_link_stays_one()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Links need a privilege.");
        using var folder = TemporaryFolder.With("Npgsql", "class B { }\n");
        folder.Add("obj/Target.cs", Old);
        File.CreateSymbolicLink(folder["Link.cs"], folder["obj/Target.cs"]);
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(New, folder.Text("obj/Target.cs"));
        Assert.NotNull(new FileInfo(folder["Link.cs"]).LinkTarget);
    }

    // Nothing would bring Slipstream into the project, and what EF Core throws stays Npgsql's.
    [Fact]
    public async Task A_project_that_has_Npgsql_from_a_library_keeps_it()
    {
        const string Code = "using Npgsql;\nclass B { NpgsqlConnection? C; bool Is(object o) => o is PostgresException || o is Npgsql.NpgsqlException; }\n";
        using var folder = new TemporaryFolder();
        folder.Add("Data/Data.csproj", TemporaryFolder.Project("<PackageReference Include=\"Npgsql.EntityFrameworkCore.PostgreSQL\" Version=\"9.0.4\" />"));
        folder.Add("Data/B.cs", Code);
        folder.Add("Web/Web.csproj", TemporaryFolder.Project("<ProjectReference Include=\"..\\Data\\Data.csproj\" />"));
        folder.Add("Web/B.cs", Code);
        folder.Add("Jobs/Jobs.csproj", TemporaryFolder.Project(
            "<PackageReference Include=\"Npgsql\" Version=\"9.0.3\" /><ProjectReference Include=\"../Data/Data.csproj\" />"));
        folder.Add("Jobs/A.cs", Old);
        var (code, output, _) = await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal((Code, Code, New), (folder.Text("Data/B.cs"), folder.Text("Web/B.cs"), folder.Text("Jobs/A.cs")));
        Assert.Contains("keep Npgsql for the contexts that use it", output, StringComparison.Ordinal);
        Assert.Equal(0, code);
    }

    [Theory]
    [InlineData("Page.razor", "@using Npgsql\n@inject NpgsqlDataSource Source\n")]
    [InlineData("Page.cshtml", "@page\n@{ var c = new MySqlConnector.MySqlConnection(); }\n")]
    [InlineData("Module.vb", "Imports MySql.Data.MySqlClient\n")]
    [InlineData("Program.fs", "open Npgsql\n")]
    public async Task A_driver_in_a_file_that_is_not_CSharp_is_reported(string name, string text)
    {
        using var folder = TemporaryFolder.With("Npgsql", "class B { }\n");
        folder.Add(name, text);
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        var (code, output, _) = await Run.ToolAsync("migrate", folder.Path);
        Assert.Equal(1, code);
        Assert.Matches($@"{name}:\d+:\d+:  by hand  Only C# files are read", output);
        Assert.Equal(text, folder.Text(name));
    }

    [Fact]
    public async Task A_comment_or_another_name_in_such_a_file_is_not_reported()
    {
        using var folder = TemporaryFolder.With("Npgsql", "class B { }\n");
        folder.Add("Page.razor", "<p>We use Npgsql here. We use Npgsql\n</p>\n@using Mine.Npgsql.Things\n<a href=\"https://npgsql.org\">Npgsql</a>\n");
        var (_, output, _) = await Run.ToolAsync("migrate", folder.Path);
        Assert.DoesNotContain("Page.razor", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("<Using Include=\"Npgsql.NpgsqlConnection\" Alias=\"Connection\" />")]
    [InlineData("<Using Include=\"MySqlConnector.MySqlErrorCode\" Static=\"true\" />")]
    public async Task An_import_of_a_type_in_the_project_is_reported(string import)
    {
        using var folder = new TemporaryFolder();
        folder.Add("App.csproj", TemporaryFolder.Project("<PackageReference Include=\"Npgsql\" Version=\"9.0.0\" />" + import));
        var (code, output, _) = await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(1, code);
        Assert.Contains("must name the type in Slipstream", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("try { } catch (Npgsql.PostgresException e) { throw e; }",
        "try { } catch (Slipstream.PostgreSql.PgException e) when (e.SqlState is not null) { throw e; }")]
    [InlineData("try { } catch (global::Npgsql.PostgresException) { }",
        "try { } catch (global::Slipstream.PostgreSql.PgException pgException) when (pgException.SqlState is not null) { }")]
    [InlineData("try { } catch (Npgsql.PostgresException) when (F() || G()) { }",
        "try { } catch (Slipstream.PostgreSql.PgException pgException) when (pgException.SqlState is not null && (F() || G())) { }")]
    [InlineData("try { } catch (Npgsql.PostgresException e) when (e.SqlState == \"23505\") { }",
        "try { } catch (Slipstream.PostgreSql.PgException e) when (e.SqlState == \"23505\") { }")]
    [InlineData("if (x is Npgsql.PostgresException) return;", "if (x is Slipstream.PostgreSql.PgException { SqlState: not null }) return;")]
    [InlineData("if (x is Npgsql.PostgresException p) p.Data.Clear();", "if (x is Slipstream.PostgreSql.PgException { SqlState: not null } p) p.Data.Clear();")]
    [InlineData("if (x is not Npgsql.PostgresException) return;", "if (x is not Slipstream.PostgreSql.PgException { SqlState: not null }) return;")]
    [InlineData("if (x is Npgsql.PostgresException { IsTransient: true }) return;",
        "if (x is Slipstream.PostgreSql.PgException { SqlState: not null, IsTransient: true }) return;")]
    [InlineData("if (x is Npgsql.PostgresException { SqlState: \"23505\" }) return;",
        "if (x is Slipstream.PostgreSql.PgException { SqlState: \"23505\" }) return;")]
    [InlineData("var y = x as Npgsql.PostgresException;", "var y = x as Slipstream.PostgreSql.PgException;")]
    public async Task A_qualified_error_of_the_server_stays_one(string before, string after)
    {
        static string File(string code) => $"class A {{ void M(object x) {{ {code} }} }}\n";
        using var folder = TemporaryFolder.With("Npgsql", File(before));
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(File(after), folder.Text("App.cs"));
        Assert.Contains("\"automatic\": 0,", (await Run.ToolAsync("migrate", folder.Path, "--json")).Output, StringComparison.Ordinal);
    }
}
