using Slipstream.Core.Errors;

namespace Slipstream.Core.Conversations;

/// <summary>What the caller wants of a command's results.</summary>
internal enum Goal
{
    /// <summary>Every row, one by one.</summary>
    Rows,

    /// <summary>The first column of the first row: decoded inside the exchange, so the caller is resumed once.</summary>
    Scalar,

    /// <summary>Only the count of affected rows.</summary>
    Count,
}

/// <summary>
/// The hot exchange: a command's answers, one or several results. One instance per session, reused. With <see cref="Goal.Rows"/>
/// its outcomes are <see cref="Step.Metadata"/> (columns known), <see cref="Step.Row"/>, and <see cref="Step.Completed"/> at the end of a
/// result set, where <see cref="HasMoreResults"/> says whether <see cref="NextResult"/> leads to another. With the other goals there is
/// only <see cref="Step.Completed"/>, at the very end.
/// </summary>
internal abstract class ResultExchange : Conversation
{
    /// <summary>The row under the window.</summary>
    public abstract Row Row { get; }

    /// <summary>Whether the exchange that ended last has executed a prepared statement.</summary>
    public virtual bool IsPrepared => false;

    /// <summary>The server's refusal, if there was one; the exchange is over then.</summary>
    public ServerError? Error { get; protected set; }

    /// <summary>Why the scalar could not be had as the type that was asked for; the exchange itself went on to its end.</summary>
    public Exception? ScalarFailure { get; protected set; }

    /// <summary>Rows changed by the results so far; −1 when none of them changed rows.</summary>
    public long RecordsAffected { get; protected set; } = -1;

    /// <summary>True when the end of a result set was not the end of the exchange.</summary>
    public bool HasMoreResults { get; protected set; }

    /// <summary>True when nothing more will come.</summary>
    public bool IsOver { get; protected set; } = true;

    /// <summary>Set while the current row is larger than what is held at once, and is read with sequential access.</summary>
    public MessagePart? Part { get; protected set; }

    /// <summary>Where the scalar goes; set with <see cref="Goal.Scalar"/>.</summary>
    public ScalarTarget? Scalar { get; protected set; }

    /// <summary>Goes on to the next result after <see cref="Step.Completed"/> with <see cref="HasMoreResults"/>.</summary>
    public abstract void NextResult();

    /// <summary>Drops the rest: from now on only <see cref="Step.Completed"/> at the very end is an outcome.</summary>
    public abstract void SkipRest();
}

/// <summary>Receives the first value of the first row.</summary>
internal abstract class ScalarTarget
{
    /// <summary>False until a row came.</summary>
    public bool HasValue { get; protected set; }

    /// <summary>Keeps the first column of the row.</summary>
    public abstract void Take(Row row);

    /// <summary>Forgets what an earlier execution left.</summary>
    public abstract void Clear();
}

/// <summary>Receives it as <typeparamref name="T"/>: no box on the way.</summary>
internal sealed class ScalarTarget<T> : ScalarTarget
{
    /// <summary>The first column of the first row; the default of its type when there is none.</summary>
    public T? Value { get; private set; }

    /// <inheritdoc/>
    public override void Take(Row row)
    {
        Value = typeof(T) == typeof(object) ? (T)row.GetValue(0) : row.GetFieldValue<T>(0);
        HasValue = true;
    }

    /// <inheritdoc/>
    public override void Clear()
    {
        HasValue = false;
        Value = default;
    }
}
