using Pomelo.EntityFrameworkCore.MySql.Infrastructure;

namespace Microsoft.EntityFrameworkCore;

/// <summary>A version of MySQL.</summary>
public class MySqlServerVersion : ServerVersion
{
    /// <summary>The word behind the version in a text: mysql.</summary>
    public static readonly string MySqlTypeIdentifier = "mysql";

    /// <summary>The newest version that the provider is tested with.</summary>
    public static readonly ServerVersion LatestSupportedServerVersion = new MySqlServerVersion(new Version(9, 7, 0));

    /// <summary>Creates a version.</summary>
    /// <param name="version">The version.</param>
    public MySqlServerVersion(Version version)
        : base(version, ServerType.MySql)
    {
    }

    /// <summary>Creates a version from a text such as "8.4.3".</summary>
    /// <param name="versionString">The text.</param>
    /// <exception cref="FormatException">The text does not begin with a version.</exception>
    public MySqlServerVersion(string versionString)
        : this(Parse(versionString, ServerType.MySql))
    {
    }

    /// <summary>Creates a version from another one, which must be MySQL's.</summary>
    /// <param name="serverVersion">The other version.</param>
    /// <exception cref="ArgumentException">The other version is not MySQL's.</exception>
    public MySqlServerVersion(ServerVersion serverVersion)
        : base(
            serverVersion is { Type: ServerType.MySql }
                ? serverVersion.Version
                : throw new ArgumentException($"The version of a MySQL server was expected, not {serverVersion}.", nameof(serverVersion)),
            ServerType.MySql)
    {
    }
}
