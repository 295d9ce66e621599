using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Connect;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>Takes complete messages from the wire.</summary>
internal static class Messages
{
    /// <summary>Takes the next message: its type, and where its body lies in the inbound buffer until the next receive. False if bytes are missing.</summary>
    /// <exception cref="ProtocolException">The announced length or type does not exist.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryTake(Wire wire, out BackendMessage type, out int start, out int end)
    {
        var at = wire.Start;
        var have = wire.End - at;
        if (have >= Frame.HeaderLength)
        {
            var header = wire.In.AsSpan(at, Frame.HeaderLength);
            var length = BinaryPrimitives.ReadInt32BigEndian(header[1..]);
            // One comparison covers nearly all messages.
            if (length is < 4 or > Frame.MaxShortLength)
                CheckLength((BackendMessage)header[0], length);
            if (have > length)
            {
                type = (BackendMessage)header[0];
                start = at + Frame.HeaderLength;
                end = at + 1 + length;
                wire.Start = end;
                return true;
            }

            CheckType((BackendMessage)header[0], length);
            wire.Want = length + 1;
        }

        type = default;
        start = end = 0;
        return false;
    }

    /// <summary>Returns the exception for a message that came in place of the expected one.</summary>
    public static ProtocolException Unexpected(string expected, BackendMessage came, int length) =>
        new(expected, Enum.IsDefined(came) ? $"{came} of {length} bytes" : $"a message of type 0x{(byte)came:X2} and {length} bytes");

    /// <summary>Returns the exception for a message that its decoder could not read.</summary>
    public static ProtocolException Broken(BackendMessage message, int length) => new($"a valid {message}", $"one of {length} bytes that cannot be decoded");

    /// <summary>Reads the body of an ErrorResponse.</summary>
    public static ErrorFields ReadError(ReadOnlySpan<byte> body)
    {
        var reader = new Core.Bytes.ByteReader(body);
        var error = ErrorResponse.Read(ref reader);
        return reader.Failed ? throw Broken(BackendMessage.ErrorResponse, body.Length) : error;
    }

    /// <summary>Reads the body of a ReadyForQuery.</summary>
    public static TransactionStatus ReadStatus(ReadOnlySpan<byte> body)
    {
        var reader = new Core.Bytes.ByteReader(body);
        var status = ReadyForQuery.Read(ref reader);
        return reader.Failed ? throw Broken(BackendMessage.ReadyForQuery, body.Length) : status;
    }

    /// <summary>Reads the body of a CommandComplete.</summary>
    public static CommandComplete ReadComplete(ReadOnlySpan<byte> body)
    {
        var reader = new Core.Bytes.ByteReader(body);
        var complete = CommandComplete.Read(ref reader);
        return reader.Failed ? throw Broken(BackendMessage.CommandComplete, body.Length) : complete;
    }

    private static void CheckLength(BackendMessage type, int length)
    {
        CheckType(type, length);
        if (length < 4 || length > Frame.MaxLengthOf(type))
            throw new ProtocolException($"a {type} of 4 to {Frame.MaxLengthOf(type):N0} bytes", $"one that announces {(uint)length:N0} bytes");
    }

    // If the type is unknown, nothing is gained by waiting for the rest.
    private static void CheckType(BackendMessage type, int length)
    {
        if (!Frame.IsKnown(type))
            throw new ProtocolException("a message of a known type", $"type 0x{(byte)type:X2} with a length of {(uint)length:N0} bytes");
    }

    /// <summary>Takes a message that a server may send at any time. Source: PostgreSQL 18, 54.2.7 "Asynchronous Operations".</summary>
    /// <exception cref="ProtocolException">The message is not one of these.</exception>
    public static void TakeAsynchronous(ISessionHost host, ServerState state, BackendMessage type, ReadOnlySpan<byte> body, string expected)
    {
        var reader = new ByteReader(body);
        switch (type)
        {
            case BackendMessage.ParameterStatus:
                var status = ParameterStatus.Read(ref reader);
                if (!reader.Failed)
                    state.TakeSetting(status);
                break;
            case BackendMessage.NoticeResponse:
                var notice = NoticeResponse.Read(ref reader);
                if (!reader.Failed)
                    host.ReportNotice(notice);
                break;
            case BackendMessage.NotificationResponse:
                var notification = NotificationResponse.Read(ref reader);
                if (!reader.Failed)
                    host.ReportNotification(notification);
                break;
            default:
                throw Unexpected(expected, type, body.Length);
        }

        if (reader.Failed)
            throw Broken(type, body.Length);
    }
}
