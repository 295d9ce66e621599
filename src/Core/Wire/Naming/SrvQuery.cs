using System.Buffers.Binary;

namespace Slipstream.Core.Wires;

/// <summary>A question for the servers of a service, and the reading of its answer, without I/O. Source: RFC 1035, 4.1 "Format".</summary>
internal sealed class SrvQuery
{
    /// <summary>Longest answer over UDP, in bytes.</summary>
    public const int LongestDatagram = 512;

    private const int HeaderLength = 12;
    private const ushort IsResponse = 0x8000;
    private const ushort OperationCode = 0x7800;
    private const ushort IsTruncated = 0x0200;
    private const ushort RecursionDesired = 0x0100;
    private const ushort ResponseCode = 0x000F;
    private const ushort NoSuchName = 3;
    private const ushort Srv = 33;
    private const ushort Internet = 1;
    private const int MostRecords = 256;

    private readonly string _name;
    private readonly ushort _id;

    /// <param name="name">The name of the service, normalized.</param>
    /// <param name="id">A random number that the answer must repeat.</param>
    public SrvQuery(string name, ushort id)
    {
        (_name, _id) = (name, id);
        List<byte> message = [(byte)(id >> 8), (byte)id, RecursionDesired >> 8, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        DnsName.Write(message, name);
        message.AddRange([0, (byte)Srv, 0, (byte)Internet]);
        Message = [.. message];
    }

    /// <summary>The message to send.</summary>
    public byte[] Message { get; }

    /// <summary>Returns whether a message is an answer to this question. Others, such as a forged or a late one, are ignored.</summary>
    public bool IsAnswer(ReadOnlySpan<byte> message)
    {
        if (message.Length < HeaderLength || Number(message, 0) != _id || (Number(message, 2) & (IsResponse | OperationCode)) != IsResponse
            || Number(message, 4) != 1)
            return false;
        var at = HeaderLength;
        return DnsName.Read(message, ref at) == _name && message.Length - at >= 4 && Number(message, at) == Srv && Number(message, at + 2) == Internet;
    }

    /// <summary>Returns whether an answer must be asked for once more, over TCP, because it is too long for a datagram.</summary>
    public static bool MustAskByTcp(ReadOnlySpan<byte> answer) => (Number(answer, 2) & IsTruncated) != 0;

    /// <summary>Reads the records of an answer.</summary>
    /// <exception cref="InvalidDataException">The name server has refused the question, or the answer is not valid.</exception>
    public List<SrvRecord> Read(ReadOnlySpan<byte> answer)
    {
        var code = Number(answer, 2) & ResponseCode;
        if (code != 0)
        {
            throw new InvalidDataException(code == NoSuchName
                ? $"The name {_name} does not exist: check the name of the service."
                : $"The name server has refused the question for {_name} with the code {code}.");
        }

        List<SrvRecord> records = [];
        var at = HeaderLength;
        if (DnsName.Read(answer, ref at) is null)
            throw Invalid();
        at += 4;
        var count = Number(answer, 6);
        if (count > MostRecords)
            throw Invalid();
        for (var number = 0; number < count; number++)
        {
            var owner = DnsName.Read(answer, ref at);
            if (owner is null || answer.Length - at < 10)
                throw Invalid();
            var (type, group, length) = (Number(answer, at), Number(answer, at + 2), Number(answer, at + 8));
            at += 10;
            if (answer.Length - at < length)
                throw Invalid();
            if (type == Srv && group == Internet && owner == _name)
                Add(records, answer[..(at + length)], at, length);
            at += length;
        }

        return records;
    }

    private void Add(List<SrvRecord> records, ReadOnlySpan<byte> answer, int at, int length)
    {
        const int Numbers = 6;
        var place = at + Numbers;
        if (length <= Numbers || DnsName.Read(answer, ref place) is not { } target || place != at + length)
            throw Invalid();
        // The root says that the service is not available.
        if (target.Length == 0)
            return;
        var port = Number(answer, at + 4);
        if (port == 0)
            throw Invalid();
        records.Add(new(Number(answer, at), Number(answer, at + 2), port, target));
    }

    private InvalidDataException Invalid() => new($"The answer of the name server for {_name} is not valid.");

    private static ushort Number(ReadOnlySpan<byte> message, int at) => BinaryPrimitives.ReadUInt16BigEndian(message[at..]);
}
