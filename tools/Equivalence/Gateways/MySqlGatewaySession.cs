using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace Slipstream.Equivalence.Gateways;

/// <summary>
/// A connection to MySQL or MariaDB. In place of a refused command the server gets a SIGNAL with the error of a replica: the command is not executed, and the
/// session, which is otherwise unchanged, goes on. Source: MySQL documentation, "Client/Server Protocol", "Command Phase".
/// </summary>
internal sealed class MySqlGatewaySession(GatewayPair pair, int index) : GatewaySession(pair, index)
{
    /// <summary>The statement with which the server refuses a command.</summary>
    public const string Refusal = "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1290, "
        + "MESSAGE_TEXT = 'The server is running with the --super-read-only option so it cannot execute this statement'";

    private const int Header = 4;
    private const int Longest = 0xFFFFFF;
    private const byte Query = 0x03;
    private const byte Prepare = 0x16;
    private const byte Execute = 0x17;
    private const byte BulkExecute = 0xFA;
    private const uint QueryAttributes = 1 << 27;
    private const string Role = "@@global.read_only";

    private bool _isGreeted;
    private bool _hasLoggedIn;
    private bool _hasAttributes;

    // A PREPARE has not been answered.
    private bool _isPreparing;

    /// <inheritdoc/>
    protected override int TakeAnswer(ReadOnlySpan<byte> bytes, IBufferWriter<byte> toClient)
    {
        if (!_isGreeted)
        {
            var length = LengthOf(bytes);
            if (length == 0)
                return 0;
            _isGreeted = true;
            // The version, then the number of the session. A server that refuses the connection sends an error instead.
            var end = bytes[(Header + 1)..length].IndexOf((byte)0);
            if (bytes[Header] == 10 && end > 0)
                Register(BinaryPrimitives.ReadUInt32LittleEndian(bytes[(Header + 1 + end + 1)..]));
        }

        _isPreparing = false;
        toClient.Write(bytes);
        return bytes.Length;
    }

    /// <inheritdoc/>
    protected override int TakeCommand(ReadOnlySpan<byte> bytes, IBufferWriter<byte> toServer)
    {
        var length = LengthOf(bytes);
        if (length == 0)
            return 0;
        var packet = bytes[..length];
        if (!_hasLoggedIn)
        {
            _hasLoggedIn = true;
            _hasAttributes = (BinaryPrimitives.ReadUInt32LittleEndian(packet[Header..]) & QueryAttributes) != 0;
        }
        else if (packet[3] == 0 && length > Header && length < Longest && TryReplace(packet[Header..], toServer))
        {
            return length;
        }

        toServer.Write(packet);
        return length;
    }

    private static int LengthOf(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < Header)
            return 0;
        var length = Header + (bytes[0] | (bytes[1] << 8) | (bytes[2] << 16));
        return bytes.Length < length ? 0 : length;
    }

    private bool TryReplace(ReadOnlySpan<byte> command, IBufferWriter<byte> toServer)
    {
        switch (command[0])
        {
            case Prepare:
                _isPreparing = true;
                return false;
            // If the server refuses the PREPARE before it, the driver knows what the answer to the execution must be.
            case Execute or BulkExecute when IsArmed && !_isPreparing:
                Refuse("", toServer);
                return true;
            case Query:
                var text = Encoding.UTF8.GetString(command[TextAt..]);
                if (text.Contains(Role, StringComparison.Ordinal))
                {
                    Write(text.Replace(Role, IsPrimary ? "0" : "1", StringComparison.Ordinal), toServer);
                    return true;
                }

                if (!IsArmed || Writes.Find(text) is not (>= 0 and var at))
                    return false;
                Refuse(text[..at], toServer);
                return true;
            default:
                return false;
        }
    }

    // Without attributes of its own, a command has the numbers of the attributes (0) and of their sets (1) in front of the text.
    private int TextAt => _hasAttributes ? 3 : 1;

    private void Refuse(string before, IBufferWriter<byte> toServer)
    {
        IsArmed = false;
        Refused(before + Refusal);
        Write(before + Refusal, toServer);
    }

    private void Write(string text, IBufferWriter<byte> toServer)
    {
        var length = TextAt + Encoding.UTF8.GetByteCount(text);
        var packet = toServer.GetSpan(Header + length)[..(Header + length)];
        (packet[0], packet[1], packet[2], packet[3], packet[4]) = ((byte)length, (byte)(length >> 8), (byte)(length >> 16), 0, Query);
        if (_hasAttributes)
            (packet[5], packet[6]) = (0, 1);
        Encoding.UTF8.GetBytes(text, packet[(Header + TextAt)..]);
        toServer.Advance(packet.Length);
    }
}
