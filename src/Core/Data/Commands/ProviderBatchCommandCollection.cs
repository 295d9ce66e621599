using System.Data.Common;

namespace Slipstream.Core.Data;

/// <summary>The commands of a batch, in the order of their execution.</summary>
/// <typeparam name="TCommand">The provider's type of commands.</typeparam>
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

    /// <summary>Gets or sets the command at an index.</summary>
    /// <param name="index">The index, from 0.</param>
    /// <value>The command.</value>
    /// <exception cref="ArgumentOutOfRangeException">The index is not valid.</exception>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public new TCommand this[int index]
    {
        get => _commands[index];
        set => _commands[index] = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Adds a command at the end of the batch.</summary>
    /// <param name="item">The command.</param>
    /// <exception cref="ArgumentException">The command belongs to another provider.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="item"/> is null.</exception>
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
        _ => throw new ArgumentException($"A command of this batch must be a {typeof(TCommand).Name}, not {item.GetType().Name}.", nameof(item)),
    };
}
