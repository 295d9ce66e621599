using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;

namespace Slipstream.MySql.State;

/// <summary>
/// Makes a server send large results in larger pieces. It collects rows in the buffer that also receives packets, 16 KiB at first, which grows to the
/// largest packet that ever came and never shrinks. One that costs nothing is a piece of a long value for a statement that does not exist:
/// the server drops it and never answers. One for each data source.
/// </summary>
internal sealed class ServerSendBuffer
{
    /// <summary>A session that has delivered this much at once is likely to do so again.</summary>
    public const long LargeResult = 512 * 1024;

    // A million rows: −23 % of the time on MySQL, −19 % on MariaDB with 128 KiB; 64 and 256 KiB gain less.
    private const int Best = 128 * 1024;

    /// <summary>The max_allowed_packet from which on a server surely takes the packet that sessions send unasked, header and all.</summary>
    public const int TakenFrom = Best + 1024;

    private static readonly string[] Strangers = ["proxy", "maxscale", "vitess", "tidb", "planetscale", "oceanbase", "aurora", "singlestore"];

    private readonly int _size;
    private volatile bool _isOff;

    private ServerSendBuffer(int size, bool isAdaptive) => (_size, IsAdaptive) = (size, isAdaptive);

    /// <summary>True when only sessions that have delivered a large result send it.</summary>
    public bool IsAdaptive { get; }

    /// <summary>Set when a peer turned out to answer it.</summary>
    public bool IsOff
    {
        get => _isOff;
        set => _isOff = value;
    }

    /// <summary>Null when it is off.</summary>
    /// <param name="bytes">What the option says: 0 is off, −1 leaves it to the driver.</param>
    public static ServerSendBuffer? Create(int bytes) => bytes == 0 ? null : new(bytes < 0 ? Best : bytes, bytes < 0);

    /// <summary>Whether the greeting is that of a server itself: behind a proxy only the proxy's buffer would grow, and some know no statement 0.</summary>
    public static bool IsWorthwhile(InitialHandshake greeting)
    {
        var version = greeting.ServerVersion;
        foreach (var stranger in Strangers)
        {
            if (version.Contains(stranger, StringComparison.OrdinalIgnoreCase))
                return false;
        }

        // Proxies that hide behind an old version; servers that old are not worth it either.
        return !version.StartsWith("5.5.", StringComparison.Ordinal) && !version.StartsWith("5.1.", StringComparison.Ordinal);
    }

    public void Write(ByteWriter writer) => StatementSendLongData.Write(writer, 0, 0, Packet.Zeros.AsMemory(0, _size));

    // A class of its own: the megabyte is there from the first packet on.
    private static class Packet
    {
        public static readonly byte[] Zeros = new byte[1 << 20];
    }
}
