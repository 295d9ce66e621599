using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.Loader;

namespace Slipstream.Race.Contestants;

/// <summary>Loads a provider from its assembly file, with the dependencies in the same folder.</summary>
internal static class ProviderAssembly
{
    /// <exception cref="PeerException">The file, the factory or one of its dependencies is missing; the message names it.</exception>
    public static (DbProviderFactory Factory, string Version) Load(string name, string path, string? factoryType)
    {
        if (!File.Exists(path))
            throw new PeerException($"{name}: no such file: {path}");

        try
        {
            var assembly = new PeerContext(Path.GetFullPath(path)).LoadFromAssemblyPath(Path.GetFullPath(path));
            return (FactoryOf(assembly, name, factoryType), VersionOf(assembly));
        }
        catch (Exception exception) when (
            exception is BadImageFormatException or IOException or TypeLoadException or ReflectionTypeLoadException or TargetInvocationException)
        {
            throw new PeerException($"{name}: {path} cannot be loaded: {(exception.InnerException ?? exception).Message}");
        }
    }

    public static string VersionOf(Assembly assembly) =>
        assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0]
            ?? assembly.GetName().Version?.ToString()
            ?? "?";

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The program is not trimmed.")]
    public static DbProviderFactory FactoryOf(Assembly assembly, string name, string? factoryType)
    {
        var candidates = assembly.GetExportedTypes().Where(type => type.IsSubclassOf(typeof(DbProviderFactory)) && !type.IsAbstract).ToArray();
        var chosen = factoryType is null
            ? candidates.FirstOrDefault(type => InstanceOf(type) is not null)
            : candidates.FirstOrDefault(type => type.FullName == factoryType);
        return (chosen is null ? null : InstanceOf(chosen)) ?? throw new PeerException(factoryType is null
            ? $"{name}: {assembly.GetName().Name} has no public DbProviderFactory with a static Instance"
            : $"{name}: {assembly.GetName().Name} has no factory {factoryType}; it has: {string.Join(", ", candidates.Select(type => type.FullName))}");
    }

    private static DbProviderFactory? InstanceOf(Type type) =>
        type.GetField("Instance", BindingFlags.Public | BindingFlags.Static)?.GetValue(null) as DbProviderFactory
        ?? type.GetProperty("Instance", BindingFlags.Public | BindingFlags.Static)?.GetValue(null) as DbProviderFactory;

    /// <summary>
    /// The load context of a peer. Two peers may need different versions of one dependency. A version lower than the requested one is better than none.
    /// </summary>
    private sealed class PeerContext(string path) : AssemblyLoadContext(Path.GetFileNameWithoutExtension(path))
    {
        private readonly AssemblyDependencyResolver? _resolver = TryResolver(path);
        private readonly string _folder = Path.GetDirectoryName(path)!;

        protected override Assembly? Load(AssemblyName assemblyName)
        {
            var found = _resolver?.ResolveAssemblyToPath(assemblyName) ?? Path.Combine(_folder, assemblyName.Name + ".dll");
            return File.Exists(found) ? LoadFromAssemblyPath(found) : null;
        }

        // A folder without a .deps.json, or with one that names missing files, is searched by file name.
        private static AssemblyDependencyResolver? TryResolver(string path)
        {
            try
            {
                return new AssemblyDependencyResolver(path);
            }
            catch (InvalidOperationException)
            {
                return null;
            }
        }
    }
}

/// <summary>The exception for a peer that cannot take part. Its message is shown to the user.</summary>
internal sealed class PeerException(string message) : Exception(message);
