using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;

namespace Slipstream.MySql.Authentication;

/// <summary>The process's authentication methods that are not built in.</summary>
public static class AuthenticationPlugins
{
    private static readonly ConcurrentDictionary<string, IAuthenticationPlugin> Registered = new(StringComparer.Ordinal);

    /// <summary>Registers an authentication method for all data sources of the process. A method with the name of a built-in one has no effect.</summary>
    /// <param name="plugin">The method.</param>
    /// <exception cref="ArgumentNullException">The method is null.</exception>
    /// <exception cref="ArgumentException">The method has no name.</exception>
    public static void Register(IAuthenticationPlugin plugin)
    {
        ArgumentNullException.ThrowIfNull(plugin);
        ArgumentException.ThrowIfNullOrEmpty(plugin.Name, nameof(plugin));
        Registered[plugin.Name] = plugin;
    }

    internal static bool TryGet(string name, [NotNullWhen(true)] out IAuthenticationPlugin? plugin) => Registered.TryGetValue(name, out plugin);
}
