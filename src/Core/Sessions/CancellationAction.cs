namespace Slipstream.Core.Sessions;

/// <summary>The kind of a <see cref="CancellationAction"/>.</summary>
internal enum CancellationStep
{
    /// <summary>The cancellation has ended.</summary>
    Completed,

    /// <summary>Ask the server to stop the operation.</summary>
    Ask,

    /// <summary>Wait until the operation has ended or the time has run out.</summary>
    AwaitOperation,

    /// <summary>Wait until the user's thread has settled the interruption or the time has run out.</summary>
    AwaitDrain,
}

/// <summary>The next action of a cancellation.</summary>
/// <param name="Step">The kind of action.</param>
/// <param name="Milliseconds">Maximum duration in milliseconds; negative: no limit.</param>
internal readonly record struct CancellationAction(CancellationStep Step, int Milliseconds);
