using System.Diagnostics.CodeAnalysis;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol.PgOutput;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Replication.PgOutput;

/// <summary>
/// A row of a change: its values, in the order of the columns of the relation. The object and its values are reused: they are valid until the next message is
/// requested. A row can be enumerated several times, but not by several enumerators at once.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "The enumerator holds nothing that has to be disposed.")]
public class ReplicationTuple : IAsyncEnumerable<ReplicationValue>
{
    private readonly PgRow _row = new();
    private readonly WalBuffer _buffer;
    private readonly ReplicationValue _value;
    private readonly Enumerator _enumerator;
    private long _number = -1;

    internal ReplicationTuple(WalBuffer buffer)
    {
        _buffer = buffer;
        _value = new(this, buffer);
        _enumerator = new(this);
    }

    /// <summary>Gets the number of columns.</summary>
    public ushort NumColumns => (ushort)Data.Count;

    /// <summary>Gets where the values are.</summary>
    internal TupleData Data { get; } = new();

    /// <summary>Returns an enumerator of the values. It never waits: the whole message has arrived.</summary>
    /// <param name="cancellationToken">Not used.</param>
    /// <returns>The enumerator, which is reused.</returns>
    public virtual IAsyncEnumerator<ReplicationValue> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        Require();
        _enumerator.Reset();
        return _enumerator;
    }

    /// <summary>Moves to the row whose values have been located in <see cref="Data"/>.</summary>
    internal void Set(ResultMetadata metadata, int end)
    {
        _number = _buffer.Number;
        _row.SetTuple(metadata, Data, _buffer.Bytes, end);
    }

    /// <summary>Returns the row.</summary>
    /// <exception cref="ObjectDisposedException">The next message has been requested.</exception>
    internal PgRow Require()
    {
        _buffer.Require(_number);
        return _row;
    }

    private sealed class Enumerator(ReplicationTuple tuple) : IAsyncEnumerator<ReplicationValue>
    {
        private int _at = -1;

        public ReplicationValue Current => tuple._value;

        public void Reset() => _at = -1;

        public ValueTask<bool> MoveNextAsync()
        {
            try
            {
                tuple.Require();
            }
            catch (ObjectDisposedException exception)
            {
                return ValueTask.FromException<bool>(exception);
            }

            if (_at + 1 >= tuple.Data.Count)
                return new(false);
            tuple._value.Ordinal = ++_at;
            return new(true);
        }

        public ValueTask DisposeAsync() => default;
    }
}
