namespace Slipstream.Core.Tests.Schedules;

/// <summary>
/// What an <see cref="Explorer"/> runs. Its <c>ToString</c> tells all that decides what can happen next: two worlds that say the same are the same.
/// </summary>
internal interface IWorld
{
    IReadOnlyList<Actor> Actors { get; }

    /// <summary>What holds after each step.</summary>
    void Check();

    /// <summary>What holds when nobody can go on.</summary>
    void CheckEnd();
}
