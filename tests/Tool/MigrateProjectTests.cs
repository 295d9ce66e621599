namespace Slipstream.Tool.Tests;

/// <summary>References to packages, and their versions, in projects and in the files that projects share.</summary>
public sealed class MigrateProjectTests
{
    private static readonly string Version = Migrate.Migration.Version;

    [Fact]
    public async Task The_spatial_package_of_Pomelo_is_replaced()
    {
        using var folder = new TemporaryFolder();
        folder.Add(
            "App.csproj", TemporaryFolder.Project("<PackageReference Include=\"Pomelo.EntityFrameworkCore.MySql.NetTopologySuite\" Version=\"9.0.0\" />"));
        var (code, _, error) = await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal((0, ""), (code, error));
        Assert.Contains(
            $"Include=\"Slipstream.MySql.EntityFrameworkCore.NetTopologySuite\" Version=\"{Version}\"", folder.Text("App.csproj"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_integration_of_Aspire_is_replaced_and_the_section_of_its_settings_is_named()
    {
        using var folder = new TemporaryFolder();
        folder.Add(
            "App.csproj", TemporaryFolder.Project("<PackageReference Include=\"Aspire.Pomelo.EntityFrameworkCore.MySql\" Version=\"9.4.0\" />"));
        var (code, output, error) = await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal((0, ""), (code, error));
        Assert.Contains("Aspire:Slipstream:MySql:EntityFrameworkCore", output, StringComparison.Ordinal);
        Assert.Contains(
            $"Include=\"Slipstream.MySql.EntityFrameworkCore.Hosting\" Version=\"{Version}\"", folder.Text("App.csproj"), StringComparison.Ordinal);
    }

    // EF Core 9 in a project beside EF Core 10 in another one that it refers to would be a downgrade, which NuGet refuses.
    [Fact]
    public async Task Projects_that_use_Pomelo_through_another_one_get_EF_Core_10_too()
    {
        using var folder = new TemporaryFolder();
        const string Relational = "<PackageReference Include=\"Microsoft.EntityFrameworkCore.Relational\" Version=\"9.0.0\" />";
        folder.Add(
            "Domain/Domain.csproj",
            TemporaryFolder.Project("<PackageReference Include=\"Microsoft.EntityFrameworkCore.Abstractions\" Version=\"9.0.0\" />"));
        folder.Add("Data/Data.csproj", TemporaryFolder.Project(
            "<PackageReference Include=\"Pomelo.EntityFrameworkCore.MySql\" Version=\"9.0.0\" /><ProjectReference Include=\"..\\Domain\\Domain.csproj\" />"));
        folder.Add("Web/Web.csproj", TemporaryFolder.Project(
            Relational + "<PackageReference Include=\"Microsoft.AspNetCore.Identity.EntityFrameworkCore\" Version=\"9.0.0\" />"
                + "<ProjectReference Include=\"../Data/Data.csproj\" />"));
        folder.Add("Reports/Reports.csproj", TemporaryFolder.Project(Relational + "<ProjectReference Include=\"../Domain/Domain.csproj\" />"));
        folder.Add("Other/Other.csproj", TemporaryFolder.Project(Relational));
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        foreach (var name in (string[])["Domain", "Web", "Reports"])
            Assert.Contains("Version=\"10.0.14\"", folder.Text($"{name}/{name}.csproj"), StringComparison.Ordinal);
        Assert.DoesNotContain("9.0.0", folder.Text("Web/Web.csproj"), StringComparison.Ordinal);
        Assert.Contains(Relational, folder.Text("Other/Other.csproj"), StringComparison.Ordinal);
    }

    // Only one of the branches counts in a build, so each needs its reference.
    [Fact]
    public async Task Each_branch_of_a_choice_has_its_reference()
    {
        using var folder = new TemporaryFolder();
        const string Reference = "<ItemGroup><PackageReference Include=\"Npgsql\" Version=\"9.0.5\" /></ItemGroup>";
        folder.Add(
            "App.csproj",
            $"<Project><Choose><When Condition=\"'$(Old)'=='true'\">{Reference}</When><Otherwise>{Reference}</Otherwise></Choose></Project>");
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(3, folder.Text("App.csproj").Split("Include=\"Slipstream.PostgreSql\"").Length);
    }

    [Fact]
    public async Task A_reference_without_a_condition_replaces_one_with_a_condition_and_not_the_reverse()
    {
        using var folder = new TemporaryFolder();
        folder.Add("App.csproj", TemporaryFolder.Project(
            "<PackageReference Include=\"Npgsql\" Version=\"9.0.5\" Condition=\"'$(A)'=='1'\" />\n<PackageReference Include=\"Npgsql.DependencyInjection\" "
                + "Version=\"9.0.5\" />"));
        await Run.ToolAsync("migrate", folder.Path, "--apply");
        var project = folder.Text("App.csproj");
        Assert.Equal(2, project.Split("Include=\"Slipstream.PostgreSql\"").Length);
        Assert.DoesNotContain("Condition", project, StringComparison.Ordinal);
    }

    // The other project would have no version any more.
    [Fact]
    public async Task A_version_that_another_project_needs_stays()
    {
        using var folder = new TemporaryFolder();
        folder.Add(".git/HEAD", "");
        folder.Add("Directory.Packages.props",
            "<Project>\r\n  <ItemGroup>\r\n    <PackageVersion Include=\"MySqlConnector\" Version=\"2.6.2\" />\r\n  </ItemGroup>\r\n</Project>\r\n");
        folder.Add("App/App.csproj", TemporaryFolder.Project("<PackageReference Include=\"MySqlConnector\" />"));
        folder.Add("Other/Other.csproj", TemporaryFolder.Project("<PackageReference Include=\"MySqlConnector\" />"));
        var (_, output, _) = await Run.ToolAsync("migrate", folder["App/App.csproj"], "--apply");
        Assert.Contains("Slipstream.MySql", folder.Text("App/App.csproj"), StringComparison.Ordinal);
        Assert.Equal(
            "<Project>\r\n  <ItemGroup>\r\n    <PackageVersion Include=\"MySqlConnector\" Version=\"2.6.2\" />\r\n"
                + $"    <PackageVersion Include=\"Slipstream.MySql\" Version=\"{Version}\" />\r\n  </ItemGroup>\r\n</Project>\r\n",
            folder.Text("Directory.Packages.props"));
        Assert.Contains("other projects still refer to MySqlConnector", output, StringComparison.Ordinal);
        Assert.Contains("\"automatic\": 0,", (await Run.ToolAsync("migrate", folder["App/App.csproj"], "--json")).Output, StringComparison.Ordinal);
    }

    // docs/orms.md: compile against MySqlConnector, run with Slipstream.
    [Theory]
    [InlineData("<PackageReference Include=\"MySqlConnector\" ExcludeAssets=\"runtime\" />")]
    [InlineData("<PackageReference Include=\"MySqlConnector\"><ExcludeAssets>runtime</ExcludeAssets></PackageReference>")]
    public async Task A_project_that_runs_with_Slipstream_in_place_of_MySqlConnector_stays(string reference)
    {
        using var folder = new TemporaryFolder();
        folder.Add("Directory.Packages.props", "<Project><ItemGroup><PackageVersion Include=\"MySqlConnector\" Version=\"2.6.2\" />"
            + "<PackageVersion Include=\"Slipstream.Compat.MySqlConnector\" Version=\"0.1.0\" /></ItemGroup></Project>");
        folder.Add("App.csproj", TemporaryFolder.Project("<PackageReference Include=\"Slipstream.Compat.MySqlConnector\" />" + reference));
        folder.Add("App.cs", "using MySqlConnector;\nclass A { MySqlConnection? C; MySqlConnector.MySqlCommand? D; }\n");
        var before = folder.Everything();
        var (code, _, error) = await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal("", error);
        Assert.Equal(0, code);
        Assert.Equal(before, folder.Everything());
    }

    [Fact]
    public async Task Several_packages_in_one_reference_are_reported()
    {
        using var folder = new TemporaryFolder();
        folder.Add("App.csproj", TemporaryFolder.Project("<PackageReference Include=\"Dapper;MySqlConnector\" />"));
        var (code, output, _) = await Run.ToolAsync("migrate", folder.Path, "--apply");
        Assert.Equal(1, code);
        Assert.Contains("by hand  Dapper;MySqlConnector: write one reference for each package.", output, StringComparison.Ordinal);
    }
}
