using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.Packages.Tests;

/// <summary>The package that takes the place of MySqlConnector, as a user installs it.</summary>
public sealed class CompatPackageTests(PackedSources packed)
{
    private const string Program = """
        using MySqlConnector;

        await using var connection = new MySqlConnection(args[0]);
        await connection.OpenAsync();
        await using var command = new MySqlCommand("SELECT 42", connection);
        Console.WriteLine($"{await command.ExecuteScalarAsync()} {typeof(MySqlConnection).Assembly.GetReferencedAssemblies().Any(one => one.Name == "Slipstream.Core")}");
        """;

    [Fact]
    public async Task A_program_is_compiled_against_MySqlConnector_and_runs_with_this_assembly()
    {
        var folder = Write("together", """<PackageReference Include="MySqlConnector" Version="2.6.2" ExcludeAssets="runtime" />""");
        var (code, printed) = await BuildAsync(folder);
        Assert.True(code == 0, printed);
        var server = await LiveServers.GetAsync(ServerKind.MariaDb);
        (code, printed) = await Programs.RunAsync(folder, "dotnet", Path.Combine("built", "Together.dll"), ConnectionStrings.Of(server));
        Assert.True(code == 0, printed);
        Assert.Contains("42 True", printed, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_build_with_both_assemblies_ends_with_what_to_write()
    {
        var folder = Write("both", """<PackageReference Include="MySqlConnector" Version="2.6.2" />""");
        var (code, printed) = await BuildAsync(folder);
        Assert.NotEqual(0, code);
        Assert.Contains("SLIPSTREAM001", printed, StringComparison.Ordinal);
        Assert.Contains("<PackageReference Include=\"MySqlConnector\" ExcludeAssets=\"runtime\" />", printed, StringComparison.Ordinal);
    }

    private string Write(string name, string reference)
    {
        var folder = Path.Combine(packed.Folder, "compat-" + name);
        Directory.CreateDirectory(folder);
        foreach (var source in Directory.EnumerateFiles(Path.Combine(packed.Root, "tests", "Packages", "Consumer"), "Directory.*"))
            File.Copy(source, Path.Combine(folder, Path.GetFileName(source)), overwrite: true);
        File.WriteAllText(Path.Combine(folder, "Program.cs"), Program);
        var project = File.ReadAllText(Path.Combine(packed.Root, "tests", "Packages", "Consumer", "Consumer.csproj"));
        var from = project.IndexOf("<PackageReference", StringComparison.Ordinal);
        var to = project.LastIndexOf("/>", StringComparison.Ordinal) + 2;
        File.WriteAllText(
            Path.Combine(folder, "Together.csproj"),
            $"{project[..from]}<PackageReference Include=\"Slipstream.Compat.MySqlConnector\" Version=\"0.1.0\" />{reference}{project[to..]}");
        return folder;
    }

    private Task<(int ExitCode, string Output)> BuildAsync(string folder)
    {
        var machine = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
            ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        return Programs.RunAsync(
            folder, "dotnet", "build", "-c", "Release", "-o", Path.Combine(folder, "built"), $"-p:Packages={packed.First}", $"-p:MachinePackages={machine}",
            "--nologo", "-v", "quiet", "-nodeReuse:false");
    }
}
