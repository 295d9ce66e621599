using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Codecs;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// The column definitions before a result set. They stay in the receive buffer until they are complete. Nearly always they are byte for byte the same as last
/// time, and one comparison replaces the parsing.
/// </summary>
internal struct DefinitionBlock
{
    /// <summary>The maximum number of columns in a result: MySQL's own limit per table and per result.</summary>
    public const int MaxColumns = ResultMetadata.MaxColumns;

    /// <summary>The maximum number of parameters in a statement: the protocol has 2 bytes for their number.</summary>
    public const int MaxParameters = ushort.MaxValue;

    // In bytes. 4,096 definitions have a few hundred bytes each; a far larger block cannot be a description of columns.
    internal const int LongestBlock = 16 << 20;

    private int _count;
    private int _found;
    private int _length;

    /// <summary>Begins a block of definitions.</summary>
    /// <param name="count">The announced number of definitions.</param>
    /// <param name="most">The maximum number of definitions.</param>
    public void Begin(long count, int most = MaxColumns)
    {
        if (count < 1 || count > most)
            throw new ProtocolException($"1 to {most:N0} column definitions", $"a count of {count:N0}");
        _count = (int)count;
        _found = _length = 0;
        IsRefused = false;
    }

    /// <summary>Gets whether an ERR replaced a definition: proxies report errors of their servers so. It is the next packet on the connection.</summary>
    public bool IsRefused { get; private set; }

    /// <summary>Takes the block if it is complete.</summary>
    /// <param name="wire">The connection on which it arrives.</param>
    /// <param name="last">The previous block, or null.</param>
    /// <param name="settings">The data source's settings.</param>
    /// <param name="metadata">The description; <paramref name="last"/> if nothing has changed.</param>
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
    /// Drops the block, because the definitions of parameters are not needed. Bytes that have arrived are dropped at once: a statement of 65,535 parameters has
    /// megabytes of them.
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
                    $"a column definition of at most {ResultMetadata.MaxDefinitionLength:N0} bytes in a block of at most {LongestBlock:N0} bytes",
                    $"a packet of {length:N0} bytes");
            if (rest < Packets.HeaderLength + length)
                return Missing(wire, _length + Packets.HeaderLength + length);
            _length += Packets.HeaderLength + length;
            _found++;
        }

        return true;
    }

    // The length of a long block is unknown: the buffer then doubles instead of growing by one definition after the other.
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
