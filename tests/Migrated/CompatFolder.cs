using System.Reflection;
using System.Runtime.Loader;

namespace Slipstream.Migrated;

/// <summary>Loads the cases that use the driver under the name MySqlConnector, with that assembly and its core, beside MySqlConnector's own assembly.</summary>
internal sealed class CompatFolder : AssemblyLoadContext
{
    private readonly string _folder;

    private CompatFolder(string folder)
        : base("compat") =>
        _folder = folder;

    public static Assembly Load()
    {
        var folder = Path.Combine(MigratedTests.Root(), "artifacts", "bin", "ByCompat", "release");
        return new CompatFolder(folder).LoadFromAssemblyPath(Path.Combine(folder, "Slipstream.Migrated.ByCompat.dll"));
    }

    // The observations are compared, so both sides have the same type of them.
    protected override Assembly? Load(AssemblyName assemblyName) =>
        assemblyName.Name != "Slipstream.Migrated.Common" && Path.Combine(_folder, assemblyName.Name + ".dll") is var path && File.Exists(path)
            ? LoadFromAssemblyPath(path)
            : null;
}
