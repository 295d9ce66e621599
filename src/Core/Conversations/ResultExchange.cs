using Slipstream.Core.Errors;

namespace Slipstream.Core.Conversations;

/// <summary>Which part of a command's results the caller wants.</summary>
internal enum Goal
{
    /// <summary>Every row, one by one.</summary>
    Rows,

    /// <summary>The first column of the first row. It is decoded inside the exchange, so the caller is resumed only once.</summary>
    Scalar,

    /// <summary>Only the number of affected rows.</summary>
    Count,
}

/// <summary>
/// The most frequent exchange: the answer to a command, with one or several results. Each session reuses one instance. With <see cref="Goal.Rows"/>, its
/// outcomes are <see cref="Step.Metadata"/> (columns known), <see cref="Step.Row"/>, and <see cref="Step.Completed"/> at the end of a result set. Then
/// <see cref="HasMoreResults"/> is true if <see cref="NextResult"/> leads to another result. With the other goals, the only outcome is
/// <see cref="Step.Completed"/> at the very end.
/// </summary>
internal abstract class ResultExchange : Conversation
{
    /// <summary>The window on the current row.</summary>
    public abstract Row Row { get; }

    /// <summary>Whether the last exchange executed a prepared statement.</summary>
    public virtual bool IsPrepared => false;

    /// <summary>The server's error, if there was one; it ends the exchange.</summary>
    public ServerError? Error { get; protected set; }

    /// <summary>Why the scalar could not be converted to the requested type. The exchange itself continued to its end.</summary>
    public Exception? ScalarFailure { get; protected set; }

    /// <summary>Number of rows changed by the results so far; −1 if none of them changed rows.</summary>
    public long RecordsAffected { get; protected set; } = -1;

    /// <summary>What each statement that has ended did.</summary>
    public virtual StatementOutcomes Outcomes { get; } = new();

    /// <summary>Whether another result follows the end of this result set.</summary>
    public bool HasMoreResults { get; protected set; }

    /// <summary>Whether the exchange has ended.</summary>
    public bool IsCompleted { get; protected set; } = true;

    /// <summary>The row's conversation while the current row is larger than the buffer may be and is read with sequential access; otherwise null.</summary>
    public MessagePart? Part { get; protected set; }

    /// <summary>The receiver of the scalar; set with <see cref="Goal.Scalar"/>.</summary>
    public ScalarTarget? Scalar { get; protected set; }

    /// <summary>Continues with the next result after <see cref="Step.Completed"/> with <see cref="HasMoreResults"/>.</summary>
    public abstract void NextResult();

    /// <summary>Releases the values of the current row, after its last reader: an idle session must not hold large values.</summary>
    public abstract void LeaveRow();

    /// <summary>Drops the remaining rows and results: from now on, the only outcome is <see cref="Step.Completed"/> at the very end.</summary>
    public abstract void SkipRest();
}

/// <summary>Receives the first value of the first row.</summary>
internal abstract class ScalarTarget
{
    /// <summary>Whether a row has come.</summary>
    public bool HasValue { get; protected set; }

    /// <summary>Keeps the first column of the row.</summary>
    public abstract void Take(Row row);

    /// <summary>Removes the value of an earlier execution.</summary>
    public abstract void Clear();
}

/// <summary>Receives the first value as <typeparamref name="T"/>, without boxing.</summary>
internal sealed class ScalarTarget<T> : ScalarTarget
{
    private T? _value;

    /// <summary>
    /// Returns the first column of the first row, or the type's default without a row. Releases the value: an idle session must not hold a large value.
    /// </summary>
    public T? TakeValue()
    {
        var value = _value;
        Clear();
        return value;
    }

    /// <inheritdoc/>
    public override void Take(Row row)
    {
        _value = typeof(T) == typeof(object) ? (T)row.GetValue(0) : row.GetLastingValue<T>(0);
        HasValue = true;
    }

    /// <inheritdoc/>
    public override void Clear()
    {
        HasValue = false;
        _value = default;
    }
}
