using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Connect;

/// <summary>
/// The data that a CancelRequest for this session must contain. The key is a secret and is never logged.
/// <code>
/// 'K' | length (int32) | process_id (int32) | secret_key (4 bytes; 4 to 256 since protocol 3.2)
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", BackendKeyData.
/// </summary>
internal sealed class BackendKeyData(int processId, byte[] secretKey)
{
    public const int MinKeyLength = 4;
    public const int MaxKeyLength = 256;

    // The most that Linux allows for kernel.pid_max (proc_sys_kernel(5)); Windows and macOS number their processes lower.
    private const int HighestProcessId = 1 << 22;

    public int ProcessId { get; } = processId;

    /// <summary>
    /// Gets whether no process of a server can have this ID. Poolers such as PgBouncer invent random ones, which one time in 500 look like a server's.
    /// </summary>
    public bool IsInvented => ProcessId is < 0 or > HighestProcessId;

    public byte[] SecretKey { get; } = secretKey;

    /// <summary>Reads the body. The reader fails if it is truncated or the key is longer than the document allows.</summary>
    public static BackendKeyData Read(ref ByteReader reader)
    {
        var processId = reader.Int32BigEndian();
        if (reader.Remaining is < MinKeyLength or > MaxKeyLength)
            reader.Fail();
        return new(processId, reader.Rest().ToArray());
    }
}
