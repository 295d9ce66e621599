using Pomelo.EntityFrameworkCore.MySql.Infrastructure;

namespace Microsoft.EntityFrameworkCore;

/// <summary>A version of MariaDB.</summary>
public class MariaDbServerVersion : ServerVersion
{
    /// <summary>The word behind the version in a text: mariadb.</summary>
    public static readonly string MariaDbTypeIdentifier = "mariadb";

    /// <summary>The newest version that the provider is tested with.</summary>
    public static readonly ServerVersion LatestSupportedServerVersion = new MariaDbServerVersion(new Version(11, 8, 0));

    /// <summary>Creates a version.</summary>
    /// <param name="version">The version.</param>
    public MariaDbServerVersion(Version version)
        : base(version, ServerType.MariaDb)
    {
    }

    /// <summary>Creates a version from a text such as "11.8.9".</summary>
    /// <param name="versionString">The text.</param>
    /// <exception cref="FormatException">The text does not begin with a version.</exception>
    public MariaDbServerVersion(string versionString)
        : this(Parse(versionString, ServerType.MariaDb))
    {
    }

    /// <summary>Creates a version from another one, which must be MariaDB's.</summary>
    /// <param name="serverVersion">The other version.</param>
    /// <exception cref="ArgumentException">The other version is not MariaDB's.</exception>
    public MariaDbServerVersion(ServerVersion serverVersion)
        : base(
            serverVersion is { Type: ServerType.MariaDb }
                ? serverVersion.Version
                : throw new ArgumentException($"The version of a MariaDB server was expected, not {serverVersion}.", nameof(serverVersion)),
            ServerType.MariaDb)
    {
    }
}
