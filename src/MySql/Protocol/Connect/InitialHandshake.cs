using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// HandshakeV10: the server's first word.
/// <code>
/// protocol_version (0A) | server_version (to zero) | connection_id (4) | nonce part 1 (8) | filler (1)
/// | capabilities, low (2) | character_set (1) | status_flags (2) | capabilities, high (2) | nonce length (1)
/// | reserved (6) | MariaDB: extended capabilities (4), else reserved (4) | nonce part 2 (max(13, nonce length − 8)) | plugin name (to zero)
/// </code>
/// Source: "Protocol::HandshakeV10" (page_protocol_connection_phase_packets_protocol_handshake_v10), MariaDB "Connection".
/// </summary>
internal sealed record InitialHandshake(
    string ServerVersion,
    uint ConnectionId,
    byte[] Nonce,
    Capabilities Capabilities,
    byte CharacterSet,
    ServerStatus Status,
    string Plugin)
{
    /// <summary>The only protocol version that is understood, and the packet's first byte.</summary>
    public const byte Version = 10;

    /// <summary>Length of the nonce that the password methods mix in.</summary>
    public const int NonceLength = 20;

    // Old replication clients take a first digit above 5 for an unknown server, so MariaDB 10 and 11 greet as "5.5.5-10.11.…".
    private const string ReplicationPrefix = "5.5.5-";

    /// <summary>
    /// True when the server is a MariaDB: by the missing CLIENT_MYSQL bit, or by its name in the version for servers that hide behind a proxy which sets the
    /// bit.
    /// </summary>
    public bool IsMariaDb => (Capabilities & Capabilities.MySql) == 0 || ServerVersion.Contains("mariadb", StringComparison.OrdinalIgnoreCase);

    /// <summary>True when the server can prove its certificate by the password: a MariaDB of 11.4 or later.</summary>
    public bool ProvesCertificates => IsMariaDb && IsAtLeast(11, 4, 0);

    /// <summary>True when the isolation level is the variable transaction_isolation; older servers call it tx_isolation.</summary>
    public bool NamesTransactionIsolation => IsMariaDb ? IsAtLeast(11, 1, 1) : IsAtLeast(5, 7, 20);

    /// <summary>
    /// True when the server takes query attributes in both protocols: MySQL 8.0.23 to 8.0.25 announce them, and take them in the text protocol only.
    /// </summary>
    public bool TakesAttributes => !IsMariaDb && (Capabilities & Capabilities.QueryAttributes) != 0 && ServerVersion is not ['8', '.', '0', '.', '2', '3' or '4' or '5', ..];

    // "9.7.0", "8.0.36-28", "11.4.2-MariaDB-1:11.4.2+maria~ubu2204", "5.7.44-log".
    private bool IsAtLeast(int major, int minor, int patch)
    {
        var numbers = ServerVersion.Split('.', '-', '+', '_');
        if (numbers.Length < 2 || !int.TryParse(numbers[0], out var first) || !int.TryParse(numbers[1], out var second))
            return false;
        return (first, second, numbers.Length > 2 && int.TryParse(numbers[2], out var third) ? third : 0).CompareTo((major, minor, patch)) >= 0;
    }

    /// <summary>Reads the packet from its first byte on, the version, which must be 10.</summary>
    public static InitialHandshake Read(ref ByteReader reader)
    {
        if (reader.Byte() != Version)
            reader.Fail();
        var version = ServerText.OneLine(reader.TextToZero());
        var connectionId = reader.UInt32();
        var nonce = new byte[NonceLength];
        reader.Bytes(8).CopyTo(nonce);
        reader.Skip(1);
        ulong capabilities = reader.UInt16();
        var characterSet = reader.Byte();
        var status = (ServerStatus)reader.UInt16();
        capabilities |= (ulong)reader.UInt16() << 16;
        var nonceLength = reader.Byte();
        reader.Skip(6);
        ulong extended = reader.UInt32();
        var isMariaDb = (capabilities & (ulong)Capabilities.MySql) == 0;
        if (isMariaDb)
            capabilities |= extended << 32;

        var plugin = "mysql_native_password";
        if ((capabilities & (ulong)(Capabilities.SecureConnection | Capabilities.PluginAuthentication)) != 0)
        {
            var second = reader.Bytes(Math.Max(13, nonceLength - 8));
            if (!reader.Failed)
                second[..12].CopyTo(nonce.AsSpan(8));
        }

        if ((capabilities & (ulong)Capabilities.PluginAuthentication) != 0)
            plugin = PluginName(ref reader);
        if (version.StartsWith(ReplicationPrefix, StringComparison.Ordinal) && version.Contains("mariadb", StringComparison.OrdinalIgnoreCase))
            version = version[ReplicationPrefix.Length..];
        return new(version, connectionId, nonce, (Capabilities)capabilities, characterSet, status, plugin);
    }

    // MySQL 5.5.7 to 5.5.9, and proxies since, leave the zero at its end out (MySQL bug 59453).
    private static string PluginName(ref ByteReader reader)
    {
        var look = reader;
        return look.Remaining == 0 || look.Rest().Contains((byte)0) ? reader.TextToZero() : Encoding.UTF8.GetString(reader.Rest());
    }
}
