namespace Slipstream.Core.Data;

/// <content>Asynchronous executions that wait for their turn on a busy connection, if the data source allows them.</content>
public abstract partial class ProviderCommand
{
    // Whether the command's turn has come.
    private bool HasTurn
    {
        get => Has(CommandFlags.HasTurn);
        set => Set(CommandFlags.HasTurn, value);
    }

    /// <summary>
    /// A copy of the command in its current state, for a later execution. A batch is not copied: it must not be changed until it has been executed.
    /// </summary>
    private protected virtual ProviderCommand Snapshot() => this;

    /// <summary>Copies the results of an execution of <see cref="Snapshot"/> into the command: output parameters, last inserted id.</summary>
    private protected virtual void TakeOver(ProviderCommand snapshot)
    {
        // Most commands have no such results.
    }

    // False if the turn has already come.
    private bool WaitsForTurn => !HasTurn && _connection is { Source.AllowsConcurrentCommands: true };

    private async Task<T> InTurn<T>(Func<ProviderCommand, CancellationToken, Task<T>> execute, CancellationToken cancellationToken)
    {
        var turn = OpenConnection.CommandQueue.Take();
        var isKept = false;
        try
        {
            // Also if the turn has already come: the values may be sent a round trip later (after a PREPARE), when the caller has set the next ones.
            var command = Snapshot();
            if (!turn.Started.IsCompleted)
                await turn.Started.WaitAsync(cancellationToken).ConfigureAwait(false);

            Task<T> execution;
            command.HasTurn = true;
            try
            {
                execution = execute(command, cancellationToken);
                // The caller's Cancel must reach the copy.
                OpenConnection.CanBeCancelledBy(this, command);
            }
            finally
            {
                command.HasTurn = false;
            }

            var result = await execution.ConfigureAwait(false);
            if (!ReferenceEquals(command, this))
                TakeOver(command);
            if (result is ProviderDataReader { IsClosed: false } reader)
            {
                // The results are complete when the reader is closed.
                if (!ReferenceEquals(command, this))
                    turn.Ended = () => TakeOver(command);
                reader.Keep(turn);
                isKept = true;
            }

            return result;
        }
        finally
        {
            if (!isKept)
                turn.Pass();
        }
    }
}
