using System.Text.Json;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Slipstream.Tool.Tests;

/// <summary>Small solutions of each driver: they are migrated, and then compile against Slipstream. tests/Packages builds one with the packages.</summary>
public sealed class MigratedSolutionTests
{
    private const string Implicit = """
        global using System;
        global using System.Collections.Generic;
        global using System.IO;
        global using System.Linq;
        global using System.Threading;
        global using System.Threading.Tasks;
        """;

    [Theory]
    [InlineData("MySqlConnector", "MySqlConnector")]
    [InlineData("Npgsql", "Npgsql")]
    public void A_sample_compiles_against_the_other_driver(string fixture, string driver)
    {
        using var folder = TemporaryFolder.Of(fixture);
        // The registration is in a package of its own, which is not among the references here.
        File.Delete(folder["Shop/Program.cs"]);
        Assert.Empty(Compile(folder, $"{driver}.dll"));
    }

    [Theory]
    [InlineData("MySqlConnector", "")]
    [InlineData("MySqlData", "global using Slipstream.MySql;")]
    [InlineData("Npgsql", "")]
    [InlineData("Pomelo", "")]
    public async Task A_migrated_sample_compiles_against_Slipstream(string fixture, string usings)
    {
        using var folder = TemporaryFolder.Of(fixture);
        var (code, output, error) = await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.True(code is 0 or 1, error);
        Assert.Contains("made in", output, StringComparison.Ordinal);
        Assert.Empty(Compile(folder, "Slipstream.*.dll", usings));
    }

    [Theory]
    [InlineData("MySqlConnector")]
    [InlineData("MySqlData")]
    [InlineData("Npgsql")]
    [InlineData("Pomelo")]
    public async Task A_second_run_finds_nothing_automatic_and_changes_no_byte(string fixture)
    {
        using var folder = TemporaryFolder.Of(fixture);
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        var after = folder.Everything();
        var (_, output, _) = await Run.ToolAsync("migrate", folder.Path, "--apply", "--json");
        using var document = JsonDocument.Parse(output);
        Assert.Equal(0, document.RootElement.GetProperty("summary").GetProperty("automatic").GetInt32());
        Assert.Equal(0, document.RootElement.GetProperty("filesWritten").GetInt32());
        Assert.Equal(after, folder.Everything());
    }

    [Theory]
    [InlineData("MySqlConnector")]
    [InlineData("MySqlData")]
    [InlineData("Npgsql")]
    [InlineData("Pomelo")]
    public async Task Without_apply_nothing_is_written(string fixture)
    {
        using var folder = TemporaryFolder.Of(fixture);
        var before = folder.Everything();
        var (code, output, _) = await Run.ToolAsync("migrate", folder.Path);
        Assert.Equal(1, code);
        Assert.Contains("Nothing was written", output, StringComparison.Ordinal);
        Assert.Equal(before, folder.Everything());
        Assert.DoesNotContain("fixture-secret", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_packages_of_a_project_are_replaced_once()
    {
        using var folder = TemporaryFolder.Of("MySqlConnector");
        await Run.ToolAsync("migrate", folder["Shop.slnx"], "--apply");
        var project = folder.Text("Shop/Shop.csproj");
        Assert.Contains($"    <PackageReference Include=\"Slipstream.MySql\" Version=\"{Migrate.Migration.Version}\" />\n", project, StringComparison.Ordinal);
        Assert.DoesNotContain("DependencyInjection", project, StringComparison.Ordinal);
        Assert.Contains("<!-- MySqlConnector is the driver of this shop. -->", project, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Central_versions_are_replaced_where_they_are()
    {
        using var folder = TemporaryFolder.Of("Npgsql");
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Contains("    <PackageReference Include=\"Slipstream.PostgreSql\" />\n  </ItemGroup>", folder.Text("Shop/Shop.csproj"),
            StringComparison.Ordinal);
        var versions = folder.Text("Directory.Packages.props");
        Assert.Contains(
            $"    <PackageVersion Include=\"Slipstream.PostgreSql\" Version=\"{Migrate.Migration.Version}\" />\n  </ItemGroup>", versions,
                StringComparison.Ordinal);
        Assert.DoesNotContain("Npgsql", versions, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Texts_and_comments_stay_and_catch_blocks_stay_apart()
    {
        using var folder = TemporaryFolder.Of("Npgsql");
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        var source = folder.Text("Shop/ProductStore.cs");
        Assert.Contains("// NpgsqlConnection in a comment stays as it is.", source, StringComparison.Ordinal);
        Assert.Contains("private const string Text = \"NpgsqlConnection\";", source, StringComparison.Ordinal);
        Assert.Contains("public string NpgsqlText => Text;", source, StringComparison.Ordinal);
        Assert.Contains("<see cref=\"PgDataSource\"/>", source, StringComparison.Ordinal);
        Assert.Contains("using System.Data;\nusing Slipstream.PostgreSql;\nusing Codes = Slipstream.PostgreSql.PgErrorCodes;\n", source,
            StringComparison.Ordinal);
        Assert.Contains("catch (PgException exception) when (exception.SqlState == Codes.UniqueViolation)", source, StringComparison.Ordinal);
        Assert.Contains("catch (PgException exception) when (exception.SqlState is not null)\n", source, StringComparison.Ordinal);
        Assert.Contains("exception is PgException { SqlState: not null }", source, StringComparison.Ordinal);
        Assert.Contains("pgDbType: PgDbType.IntegerRange", source, StringComparison.Ordinal);
        var program = folder.Text("Shop/Program.cs");
        Assert.Contains("AddSlipstreamPostgreSql(", program, StringComparison.Ordinal);
        Assert.Contains("(_, builder) => builder.EnableParameterLogging()", program, StringComparison.Ordinal);
        Assert.StartsWith("using Microsoft.Extensions.DependencyInjection;\nusing Slipstream.PostgreSql;\n\nnamespace", program, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Pomelo_becomes_the_EF_Core_provider_and_EF_Core_10()
    {
        using var folder = TemporaryFolder.Of("Pomelo");
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        var project = folder.Text("Shop/Shop.csproj");
        Assert.Contains("Include=\"Microsoft.EntityFrameworkCore.Relational\" Version=\"10.0.14\"", project, StringComparison.Ordinal);
        Assert.Contains("Include=\"Slipstream.MySql.EntityFrameworkCore\"", project, StringComparison.Ordinal);
        var source = folder.Text("Shop/Program.cs");
        Assert.Contains("using Slipstream.MySql;\nusing Pomelo.EntityFrameworkCore.MySql.Infrastructure;", source, StringComparison.Ordinal);
    }

    // In this process, because a build of each would take a minute.
    private static List<string> Compile(TemporaryFolder folder, string drivers, string usings = "")
    {
        var options = CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.Preview).WithDocumentationMode(DocumentationMode.Diagnose);
        var trees = Directory.EnumerateFiles(folder.Path, "*.cs", SearchOption.AllDirectories)
            .Select(file => CSharpSyntaxTree.ParseText(File.ReadAllText(file), options, Path.GetFileName(file)))
            .Append(CSharpSyntaxTree.ParseText(Implicit + "\n" + usings, options)).ToList();
        var platform = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path => Path.GetFileName(path) is var name
                && (name.StartsWith("System.", StringComparison.Ordinal) || name is "netstandard.dll" or "mscorlib.dll"
                    || name.StartsWith("Microsoft.", StringComparison.Ordinal) || name == "Dapper.dll"));
        var references = platform.Concat(Directory.EnumerateFiles(AppContext.BaseDirectory, drivers))
            .Where(static path => !Path.GetFileName(path).Contains("Slipstream.Tool", StringComparison.Ordinal))
            .Select(static path => (MetadataReference)MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create(
            "Sample", trees, references, new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary,
                nullableContextOptions: NullableContextOptions.Enable));
        return [.. compilation.GetDiagnostics().Where(static one => one.Severity == DiagnosticSeverity.Error
            || one.Id is "CS1574").Select(static one => one.ToString())];
    }
}
