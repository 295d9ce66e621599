using Slipstream.PostgreSql.Protocol.PgOutput;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Conversations;

internal sealed partial class PgRow
{
    /// <summary>
    /// Moves to a row of logical replication, whose columns have been located already. Each value has its own format, so <paramref name="metadata"/> must
    /// belong to this row alone.
    /// </summary>
    public void SetTuple(ResultMetadata metadata, TupleData data, byte[] buffer, int end)
    {
        if (!ReferenceEquals(metadata, _metadata))
            Begin(metadata);
        _buffer = buffer;
        _end = end;
        _own = null;
        data.At.CopyTo(_at);
        data.Lengths.CopyTo(_length);
        _known = _laidOut = data.Count;
        var kinds = data.Kinds;
        for (var i = 0; i < kinds.Length; i++)
        {
            var isBinary = kinds[i] == TupleData.Binary;
            if (_columns[i].IsBinary != isBinary && data.Lengths[i] >= 0)
                _columns[i] = _columns[i] with { IsBinary = isBinary };
        }
    }
}
