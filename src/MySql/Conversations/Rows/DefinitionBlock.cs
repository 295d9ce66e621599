using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Codecs;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// The block of column definitions in front of a result set. It is left in the inbound buffer until it is whole; nearly always it is
/// byte for byte the block of last time, and one comparison replaces the parsing.
/// </summary>
internal struct DefinitionBlock
{
    /// <summary>What a server can send: MySQL's own limit of columns per table and per result.</summary>
    public const int MostColumns = ResultMetadata.MaxColumns;

    /// <summary>Parameters of a statement: the protocol counts them in two bytes.</summary>
    public const int MostParameters = ushort.MaxValue;

    // 4,096 definitions of a few hundred bytes; far more is not a description of columns.
    internal const int LongestBlock = 16 << 20;

    private int _count;
    private int _found;
    private int _length;

    /// <param name="count">How many definitions were announced.</param>
    /// <param name="most">How many may be.</param>
    public void Begin(long count, int most = MostColumns)
    {
        if (count < 1 || count > most)
            throw new ProtocolException($"1 to {most:N0} definitions", $"the announcement of {count:N0}");
        _count = (int)count;
        _found = _length = 0;
        IsRefused = false;
    }

    /// <summary>An ERR stands where a definition was awaited: proxies say so what went wrong behind them. It is the next packet on the wire.</summary>
    public bool IsRefused { get; private set; }

    /// <summary>Takes the block off the wire when it is whole.</summary>
    /// <param name="wire">Where it arrives.</param>
    /// <param name="last">The block of last time, if there was one.</param>
    /// <param name="settings">The data source's.</param>
    /// <param name="metadata"><paramref name="last"/> when nothing has changed.</param>
    public bool TryTake(Wire wire, ResultMetadata? last, CodecSettings settings, out ResultMetadata metadata)
    {
        if (_found == 0 && last is not null && last.Columns.Length == _count && wire.Buffered >= last.Raw.Length
            && wire.In.AsSpan(wire.Start, last.Raw.Length).SequenceEqual(last.Raw))
        {
            Take(wire, last.Raw.Length);
            metadata = last;
            return true;
        }

        if (!TryFind(wire))
        {
            if (IsRefused)
            {
                wire.Start += _length;
                wire.Sequence += (byte)_found;
            }

            metadata = null!;
            return false;
        }

        var raw = wire.In.AsSpan(wire.Start, _length);
        metadata = last is not null && raw.SequenceEqual(last.Raw) ? last : ResultMetadata.Read(raw, _count, settings);
        Take(wire, _length);
        return true;
    }

    /// <summary>
    /// Drops the block: the definitions of parameters say nothing of use. What has arrived goes at once,
    /// because a statement of 65,535 parameters has megabytes of them.
    /// </summary>
    public bool TrySkip(Wire wire)
    {
        var isWhole = TryFind(wire);
        wire.Start += _length;
        wire.Sequence += (byte)_found;
        wire.Want = Math.Max(0, wire.Want - _length);
        _count -= _found;
        _found = _length = 0;
        return isWhole;
    }

    private bool TryFind(Wire wire)
    {
        while (_found < _count)
        {
            var rest = wire.Buffered - _length;
            if (rest < Packets.HeaderLength)
                return Missing(wire, _length + Packets.HeaderLength);
            var header = wire.In.AsSpan(wire.Start + _length, Packets.HeaderLength);
            var length = header[0] | header[1] << 8 | header[2] << 16;
            var sequence = (byte)(wire.Sequence + _found);
            if (header[3] != sequence && !wire.IgnoresSequence)
                throw new ProtocolException($"packet number {sequence}", $"number {header[3]}");
            if (rest == Packets.HeaderLength && length > 0)
                return Missing(wire, _length + Packets.HeaderLength + 1);
            if (length > 0 && wire.In[wire.Start + _length + Packets.HeaderLength] == Err.Header)
            {
                IsRefused = true;
                return false;
            }

            if (length is < 16 or > ResultMetadata.MaxDefinitionLength || _length + length > LongestBlock)
                throw new ProtocolException(
                    $"a column definition of at most {ResultMetadata.MaxDefinitionLength:N0} bytes in a block of at most {LongestBlock:N0}", $"a packet of {length:N0} bytes");
            if (rest < Packets.HeaderLength + length)
                return Missing(wire, _length + Packets.HeaderLength + length);
            _length += Packets.HeaderLength + length;
            _found++;
        }

        return true;
    }

    // How long a long block will be, nobody knows: the buffer then doubles, and does not grow by one definition after the other.
    private static bool Missing(Wire wire, int wanted)
    {
        wire.Want = wanted > Wire.NormalCapacity ? 0 : wanted;
        return false;
    }

    private readonly void Take(Wire wire, int length)
    {
        wire.Start += length;
        wire.Sequence += (byte)_count;
    }
}
