using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;

namespace Slipstream.MySql.Authentication;

/// <summary>The process's methods of authentication that are not built in.</summary>
public static class AuthenticationPlugins
{
    private static readonly ConcurrentDictionary<string, IAuthenticationPlugin> Registered = new(StringComparer.Ordinal);

    /// <summary>Makes a method known to all data sources of the process. One with the name of a built-in method changes nothing.</summary>
    /// <exception cref="ArgumentNullException">There is none.</exception>
    /// <exception cref="ArgumentException">It has no name.</exception>
    public static void Register(IAuthenticationPlugin plugin)
    {
        ArgumentNullException.ThrowIfNull(plugin);
        ArgumentException.ThrowIfNullOrEmpty(plugin.Name, nameof(plugin));
        Registered[plugin.Name] = plugin;
    }

    internal static bool TryGet(string name, [NotNullWhen(true)] out IAuthenticationPlugin? plugin) => Registered.TryGetValue(name, out plugin);
}
