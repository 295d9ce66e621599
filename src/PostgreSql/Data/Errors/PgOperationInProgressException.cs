using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Errors;

namespace Slipstream.PostgreSql;

/// <summary>The exception for a command on a connection that executes another command, or whose reader is still open. Nothing was sent.</summary>
[SuppressMessage("Design", "CA1032:Implement standard exception constructors", Justification = "The command that is in progress belongs to it.")]
public sealed class PgOperationInProgressException : PgException
{
    /// <summary>Creates the exception, for example in a test.</summary>
    /// <param name="command">The command that is in progress.</param>
    /// <exception cref="ArgumentNullException">The command is null.</exception>
    public PgOperationInProgressException(PgCommand command)
        : this("Another command is still running on this connection: await it first, or use a second connection.", command) =>
        ArgumentNullException.ThrowIfNull(command);

    internal PgOperationInProgressException(string message, PgCommand? command)
        : base(message)
    {
        CommandInProgress = command;
        RetrySafety = RetrySafety.NotSent;
    }

    /// <summary>Gets the command that is in progress; null if it is a batch or another operation.</summary>
    public PgCommand? CommandInProgress { get; }
}
