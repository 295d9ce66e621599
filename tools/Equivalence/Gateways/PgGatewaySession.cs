using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace Slipstream.Equivalence.Gateways;

/// <summary>
/// A connection to PostgreSQL. Before the flight of a command that shall be refused, the gateway makes the session's transactions read-only, so that the server
/// itself refuses what writes, and ends the transaction, as a standby does. Source: PostgreSQL 18, 54.2 "Message Flow".
/// </summary>
internal sealed class PgGatewaySession(GatewayPair pair, int index) : GatewaySession(pair, index)
{
    private const int Header = 5;
    private const string Role = "pg_catalog.pg_is_in_recovery()";
    private const string ReadOnly = "SET default_transaction_read_only = on; SET transaction_read_only = on";
    private const string Restore = "SET default_transaction_read_only = off";
    private const int CancelRequest = 80877102;

    // The numbers of the answers to the gateway's own statements, which the client does not get.
    private readonly HashSet<long> _own = [];
    private bool _hasStarted;
    private bool _isAtStart = true;
    private bool _isReadOnly;

    // Each Query and each Sync is answered with one ReadyForQuery, as is the login.
    private long _asked = 1;
    private long _answered;
    private byte _status = (byte)'I';

    /// <inheritdoc/>
    protected override int TakeCommand(ReadOnlySpan<byte> bytes, IBufferWriter<byte> toServer)
    {
        if (!_hasStarted)
        {
            var size = bytes.Length < 8 ? 0 : BinaryPrimitives.ReadInt32BigEndian(bytes);
            if (size == 0 || bytes.Length < size)
                return 0;
            // A request to cancel is a connection of its own.
            _hasStarted = BinaryPrimitives.ReadInt32BigEndian(bytes[4..]) >> 16 == 3 || BinaryPrimitives.ReadInt32BigEndian(bytes[4..]) == CancelRequest;
            toServer.Write(bytes[..size]);
            return size;
        }

        var length = LengthOf(bytes);
        if (length == 0)
            return 0;
        var message = bytes[..length];
        var type = (char)message[0];
        var text = type is 'Q' or 'P' ? Encoding.UTF8.GetString(message[Header..]) : "";
        if (_isAtStart && (type is 'P' or 'B' or 'C' || (type == 'Q' && text.StartsWith("COPY", StringComparison.OrdinalIgnoreCase))))
            Prepare(toServer);
        if (text.Contains(Role, StringComparison.Ordinal))
            Write(type, text.Replace(Role, IsPrimary ? "false" : "true", StringComparison.Ordinal), toServer);
        else
            toServer.Write(message);
        _isAtStart = type is 'Q' or 'S' or 'F';
        if (_isAtStart)
            _asked++;
        return length;
    }

    /// <inheritdoc/>
    protected override int TakeAnswer(ReadOnlySpan<byte> bytes, IBufferWriter<byte> toClient)
    {
        var length = LengthOf(bytes);
        if (length == 0)
            return 0;
        var message = bytes[..length];
        var isOwn = _own.Contains(_answered);
        switch ((char)message[0])
        {
            case 'K':
                Register(BinaryPrimitives.ReadInt32BigEndian(message[Header..]));
                break;
            // A server that does not report it may be a standby: those before PostgreSQL 14 do not.
            case 'S' when message[Header..].StartsWith("in_hot_standby\0"u8) || message[Header..].StartsWith("default_transaction_read_only\0"u8):
                return length;
            case 'E' when _isReadOnly && !isOwn && message.IndexOf("C25006\0"u8) > 0:
                Refused("");
                break;
            case 'Z':
                _status = message[Header];
                _own.Remove(_answered++);
                break;
        }

        // Notifications may come at any time.
        if (!isOwn || message[0] == 'A')
            toClient.Write(message);
        return length;
    }

    private static int LengthOf(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < Header)
            return 0;
        var length = 1 + BinaryPrimitives.ReadInt32BigEndian(bytes[1..]);
        return bytes.Length < length ? 0 : length;
    }

    // A flight with a command begins.
    private void Prepare(IBufferWriter<byte> toServer)
    {
        if (IsArmed)
        {
            (IsArmed, _isReadOnly) = (false, true);
            WriteOwn(ReadOnly, toServer);
        }
        else if (_isReadOnly && _answered == _asked && _status == 'I')
        {
            _isReadOnly = false;
            WriteOwn(Restore, toServer);
        }
    }

    private void WriteOwn(string text, IBufferWriter<byte> toServer)
    {
        _own.Add(_asked++);
        Write('Q', text + '\0', toServer);
    }

    private static void Write(char type, string body, IBufferWriter<byte> toServer)
    {
        var length = Encoding.UTF8.GetByteCount(body);
        var message = toServer.GetSpan(Header + length)[..(Header + length)];
        message[0] = (byte)type;
        BinaryPrimitives.WriteInt32BigEndian(message[1..], length + 4);
        Encoding.UTF8.GetBytes(body, message[Header..]);
        toServer.Advance(message.Length);
    }
}
