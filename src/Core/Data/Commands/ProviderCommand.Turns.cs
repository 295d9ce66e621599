namespace Slipstream.Core.Data;

/// <content>Asynchronous executions on a connection that is busy, where the data source allows them: they wait for their turn.</content>
public abstract partial class ProviderCommand
{
    // Its turn has come.
    private bool HasTurn
    {
        get => Has(CommandFlags.HasTurn);
        set => Set(CommandFlags.HasTurn, value);
    }

    /// <summary>
    /// The command as it is now, for an execution that comes later. A batch is not copied: it must not be changed until it has been executed.
    /// </summary>
    private protected virtual ProviderCommand Snapshot() => this;

    /// <summary>What an execution of <see cref="Snapshot"/> leaves in the command: output parameters, last inserted id.</summary>
    private protected virtual void TakeOver(ProviderCommand snapshot)
    {
        // Most commands have nothing to take.
    }

    // Not when the turn has come already.
    private bool WaitsForTurn => !HasTurn && _connection is { Source.AllowsConcurrentCommands: true };

    private async Task<T> InTurn<T>(Func<ProviderCommand, CancellationToken, Task<T>> execute, CancellationToken cancellationToken)
    {
        var turn = OpenConnection.Turns.Take();
        var isKept = false;
        try
        {
            // Also when its turn has come: the values may leave a round trip later (behind a PREPARE), when the caller has set the next ones.
            var command = Snapshot();
            if (!turn.Come.IsCompleted)
                await turn.Come.WaitAsync(cancellationToken).ConfigureAwait(false);

            Task<T> execution;
            command.HasTurn = true;
            try
            {
                execution = execute(command, cancellationToken);
                // It is this one that the caller can cancel.
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
                // What it leaves in the command is known when it is closed.
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
