namespace Slipstream.Core.Tests.Schedules;

/// <summary>
/// A world that an <see cref="Explorer"/> runs. Its <c>ToString</c> contains everything that determines what can happen next: two worlds with the same text are
/// equal.
/// </summary>
internal interface IWorld
{
    IReadOnlyList<Actor> Actors { get; }

    /// <summary>Checks what holds after each step.</summary>
    void Check();

    /// <summary>Checks what holds when no actor can continue.</summary>
    void CheckEnd();
}
