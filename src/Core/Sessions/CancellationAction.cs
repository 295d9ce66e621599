namespace Slipstream.Core.Sessions;

/// <summary>What a <see cref="Cancellation"/> needs done next.</summary>
internal enum CancellationStep
{
    /// <summary>Nothing more.</summary>
    Completed,

    /// <summary>Ask the server to stop the operation.</summary>
    Ask,

    /// <summary>Wait until the operation has ended, or the time is over.</summary>
    AwaitOperation,

    /// <summary>Wait until the user's thread has settled the interruption, or the time is over.</summary>
    AwaitDrain,
}

/// <summary>What is to be done next.</summary>
/// <param name="Step">What.</param>
/// <param name="Milliseconds">For how long at most; negative for no limit.</param>
internal readonly record struct CancellationAction(CancellationStep Step, int Milliseconds);
