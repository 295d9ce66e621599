using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// HandshakeV10: the server's greeting, its first packet.
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
    /// <summary>The only supported protocol version, and the packet's first byte.</summary>
    public const byte Version = 10;

    /// <summary>The length in bytes of the nonce that the password methods use.</summary>
    public const int NonceLength = 20;

    // Old replication clients do not recognise a server whose version begins with a digit above 5, so MariaDB 10 and 11 send "5.5.5-10.11.…".
    private const string ReplicationPrefix = "5.5.5-";

    /// <summary>Gets the version as the server sent it: <see cref="ServerVersion"/> has no prefix for old replicas.</summary>
    public string SentVersion { get; private init; } = ServerVersion;

    /// <summary>
    /// True if the server is MariaDB: the CLIENT_MYSQL bit is missing, or the version contains the name, because a proxy before the server may set the bit.
    /// </summary>
    public bool IsMariaDb => (Capabilities & Capabilities.MySql) == 0 || ServerVersion.Contains("mariadb", StringComparison.OrdinalIgnoreCase);

    /// <summary>True if the server can prove its certificate with the password: MariaDB 11.4 and later.</summary>
    public bool ProvesCertificates => IsMariaDb && IsAtLeast(11, 4, 0);

    /// <summary>True if the variable of the isolation level is transaction_isolation. Older servers call it tx_isolation.</summary>
    public bool NamesTransactionIsolation => IsMariaDb ? IsAtLeast(11, 1, 1) : IsAtLeast(5, 7, 20);

    /// <summary>
    /// True if the server accepts query attributes in both protocols. MySQL 8.0.23 to 8.0.25 announce them, but accept them only in the text protocol.
    /// </summary>
    public bool TakesAttributes =>
        !IsMariaDb && (Capabilities & Capabilities.QueryAttributes) != 0 && ServerVersion is not ['8', '.', '0', '.', '2', '3' or '4' or '5', ..];

    // Examples: "9.7.0", "8.0.36-28", "11.4.2-MariaDB-1:11.4.2+maria~ubu2204", "5.7.44-log".
    private bool IsAtLeast(int major, int minor, int patch)
    {
        var numbers = ServerVersion.Split('.', '-', '+', '_');
        if (numbers.Length < 2 || !int.TryParse(numbers[0], out var first) || !int.TryParse(numbers[1], out var second))
            return false;
        return (first, second, numbers.Length > 2 && int.TryParse(numbers[2], out var third) ? third : 0).CompareTo((major, minor, patch)) >= 0;
    }

    /// <summary>Reads the packet, beginning with the version, which must be 10.</summary>
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
        var hasPrefix = version.StartsWith(ReplicationPrefix, StringComparison.Ordinal) && version.Contains("mariadb", StringComparison.OrdinalIgnoreCase);
        return new(hasPrefix ? version[ReplicationPrefix.Length..] : version, connectionId, nonce, (Capabilities)capabilities, characterSet, status, plugin)
        {
            SentVersion = version,
        };
    }

    // MySQL 5.5.7 to 5.5.9 and some proxies omit the terminating zero (MySQL bug 59453).
    private static string PluginName(ref ByteReader reader)
    {
        var ahead = reader;
        return ahead.Remaining == 0 || ahead.Rest().Contains((byte)0) ? reader.TextToZero() : Encoding.UTF8.GetString(reader.Rest());
    }
}
