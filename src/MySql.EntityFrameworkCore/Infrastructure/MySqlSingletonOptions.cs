using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Infrastructure;

/// <summary>The options that the singleton services share: those of the first context that needed them.</summary>
internal sealed class MySqlSingletonOptions : ISingletonOptions
{
    private IDbContextOptionsExtension? _extension;

    public MySqlOptions Values { get; private set; } = new();

    /// <summary>The version of the server.</summary>
    public ServerVersion ServerVersion { get; private set; } = ServerVersions.Oldest;

    /// <summary>Whether the version is not the server's own: at design time, or without a server to ask.</summary>
    public bool IsVersionAssumed => ReferenceEquals(ServerVersion, ServerVersions.Oldest);

    public ServerCapabilities Capabilities => ServerVersion.Capabilities;

    public void Initialize(IDbContextOptions options)
    {
        Values = MySqlOptions.Of(options);
        _extension = Extension(options);
        ServerVersion = (_extension as MySqlOptions.IHolder)?.Version ?? ServerVersions.Oldest;
    }

    public void Validate(IDbContextOptions options)
    {
        if (_extension is not null && Extension(options) is { } other && !_extension.Info.ShouldUseSameServiceProvider(other.Info))
            throw new InvalidOperationException(
                "An option of UseMySql differs from the one that the internal service provider was made with. Leave the provider to EF Core, or use one for "
                    + "each set of options.");
    }

    private static IDbContextOptionsExtension? Extension(IDbContextOptions options) =>
        options.Extensions.FirstOrDefault(static extension => extension is MySqlOptions.IHolder);
}
