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

    /// <summary>Adds a command at the end of the batch.</summary>
    /// <param name="item">The command.</param>
    /// <exception cref="ArgumentNullException"><paramref name="item"/> is null.</exception>
    public void Add(TCommand item) => _commands.Add(Own(item));

    /// <inheritdoc/>
    public override void Clear() => _commands.Clear();

    /// <inheritdoc/>
    public override bool Contains(DbBatchCommand item) => IndexOf(item) >= 0;

    /// <summary>Returns whether the batch contains a command.</summary>
    /// <param name="item">The command.</param>
    /// <returns>True if the batch contains it.</returns>
    public bool Contains(TCommand item) => _commands.Contains(item);

    /// <inheritdoc/>
    public override void CopyTo(DbBatchCommand[] array, int arrayIndex)
    {
        ArgumentNullException.ThrowIfNull(array);
        for (var i = 0; i < _commands.Count; i++)
            array[arrayIndex + i] = _commands[i];
    }

    /// <summary>Copies the commands into an array.</summary>
    /// <param name="array">The array.</param>
    /// <param name="arrayIndex">The index in the array of the first command.</param>
    /// <exception cref="ArgumentNullException"><paramref name="array"/> is null.</exception>
    /// <exception cref="ArgumentException">The array is too short.</exception>
    public void CopyTo(TCommand[] array, int arrayIndex) => _commands.CopyTo(array, arrayIndex);

    /// <summary>Enumerates the commands by their own type.</summary>
    private protected IEnumerator<TCommand> EnumerateOwn() => _commands.GetEnumerator();

    /// <inheritdoc/>
    public override IEnumerator<DbBatchCommand> GetEnumerator() => _commands.GetEnumerator();

    /// <inheritdoc/>
    public override int IndexOf(DbBatchCommand item) => item is TCommand own ? _commands.IndexOf(own) : -1;

    /// <summary>Returns the index of a command.</summary>
    /// <param name="item">The command.</param>
    /// <returns>The index, from 0; −1 if the batch does not contain the command.</returns>
    public int IndexOf(TCommand item) => _commands.IndexOf(item);

    /// <inheritdoc/>
    public override void Insert(int index, DbBatchCommand item) => _commands.Insert(index, Own(item));

    /// <summary>Inserts a command before others.</summary>
    /// <param name="index">The index that the command will have.</param>
    /// <param name="item">The command.</param>
    /// <exception cref="ArgumentNullException"><paramref name="item"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The index is not valid.</exception>
    public void Insert(int index, TCommand item) => _commands.Insert(index, Own(item));

    /// <inheritdoc/>
    public override bool Remove(DbBatchCommand item) => item is TCommand own && _commands.Remove(own);

    /// <summary>Removes a command.</summary>
    /// <param name="item">The command.</param>
    /// <returns>False if the batch does not contain the command.</returns>
    public bool Remove(TCommand item) => _commands.Remove(item);

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
