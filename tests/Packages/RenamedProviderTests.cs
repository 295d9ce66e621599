using System.Data.Common;
using System.Reflection;
using System.Runtime.Loader;
using Slipstream.MySql;

namespace Slipstream.Packages.Tests;

/// <summary>The MySQL driver's sources with another root namespace and assembly name, as needed by a package for code that expects other names.</summary>
public sealed class RenamedProviderTests
{
    private const string Name = "Contoso.Data.MariaClient";

    [Fact]
    public async Task One_property_compiles_the_driver_under_another_name()
    {
        var root = Programs.Root();
        var (code, printed) = await Programs.RunAsync(
            root, "dotnet", "build", Path.Combine("src", "MySql"), "-c", "Release", $"-p:ProviderRootNamespace={Name}",
            "--nologo", "-v", "quiet", "-nodeReuse:false", "-p:UseSharedCompilation=false", "-p:RunAnalyzers=false");
        Assert.True(code == 0, printed);

        var folder = Path.Combine(root, "artifacts", "renamed", Name, "bin", "Slipstream.MySql", "release");
        var renamed = new Folder(folder).LoadFromAssemblyPath(Path.Combine(folder, Name + ".dll"));

        Assert.Equal(Name, renamed.GetName().Name);
        Assert.Equal(Names(typeof(MySqlConnection).Assembly, "Slipstream.MySql"), Names(renamed, Name));

        // It runs with the core that was built with it.
        var factory = (DbProviderFactory)renamed.GetType($"{Name}.MySqlConnectorFactory", throwOnError: true)!.GetField("Instance")!.GetValue(null)!;
        using var connection = factory.CreateConnection()!;
        connection.ConnectionString = "Server=127.0.0.1;Port=1;User ID=nobody";
        Assert.Equal($"{Name}.MySqlException", Assert.ThrowsAny<DbException>(connection.Open).GetType().FullName);
    }

    // The names below the root namespace, without those that the compiler generated.
    private static IEnumerable<string> Names(Assembly assembly, string root) =>
        from type in assembly.GetTypes()
        let full = type.FullName!
        where full.StartsWith(root + ".", StringComparison.Ordinal) && !full.Contains('<', StringComparison.Ordinal)
        let name = full[root.Length..]
        orderby name
        select name;

    // Loads the core of that folder in preference to the core of this program.
    private sealed class Folder(string folder) : AssemblyLoadContext(RenamedProviderTests.Name)
    {
        protected override Assembly? Load(AssemblyName assemblyName) =>
            Path.Combine(folder, assemblyName.Name + ".dll") is var path && File.Exists(path) ? LoadFromAssemblyPath(path) : null;
    }
}
