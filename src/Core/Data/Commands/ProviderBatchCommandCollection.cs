using System.Data.Common;

namespace Slipstream.Core.Data;

/// <summary>The commands of a batch, in the order in which they are executed.</summary>
/// <typeparam name="TCommand">The provider's kind of command.</typeparam>
public abstract class ProviderBatchCommandCollection<TCommand> : DbBatchCommandCollection
    where TCommand : ProviderBatchCommand
{
    private readonly List<TCommand> _commands = [];

    private protected ProviderBatchCommandCollection()
    {
    }

    /// <inheritdoc/>
    public override int Count => _commands.Count;

    /// <inheritdoc/>
    public override bool IsReadOnly => false;

    /// <summary>The command at <paramref name="index"/>, from 0.</summary>
    public new TCommand this[int index]
    {
        get => _commands[index];
        set => _commands[index] = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Adds a command to the end of the batch.</summary>
    /// <exception cref="ArgumentException">The command is another provider's.</exception>
    public override void Add(DbBatchCommand item) => _commands.Add(Own(item));

    /// <inheritdoc/>
    public override void Clear() => _commands.Clear();

    /// <inheritdoc/>
    public override bool Contains(DbBatchCommand item) => IndexOf(item) >= 0;

    /// <inheritdoc/>
    public override void CopyTo(DbBatchCommand[] array, int arrayIndex)
    {
        ArgumentNullException.ThrowIfNull(array);
        for (var i = 0; i < _commands.Count; i++)
            array[arrayIndex + i] = _commands[i];
    }

    /// <inheritdoc/>
    public override IEnumerator<DbBatchCommand> GetEnumerator() => _commands.GetEnumerator();

    /// <inheritdoc/>
    public override int IndexOf(DbBatchCommand item) => item is TCommand own ? _commands.IndexOf(own) : -1;

    /// <inheritdoc/>
    public override void Insert(int index, DbBatchCommand item) => _commands.Insert(index, Own(item));

    /// <inheritdoc/>
    public override bool Remove(DbBatchCommand item) => item is TCommand own && _commands.Remove(own);

    /// <inheritdoc/>
    public override void RemoveAt(int index) => _commands.RemoveAt(index);

    /// <inheritdoc/>
    protected override DbBatchCommand GetBatchCommand(int index) => _commands[index];

    /// <inheritdoc/>
    protected override void SetBatchCommand(int index, DbBatchCommand batchCommand) => _commands[index] = Own(batchCommand);

    private static TCommand Own(DbBatchCommand item) => item switch
    {
        TCommand own => own,
        null => throw new ArgumentNullException(nameof(item)),
        _ => throw new ArgumentException($"A batch of this provider takes {typeof(TCommand).Name}, not {item.GetType().Name}.", nameof(item)),
    };
}
