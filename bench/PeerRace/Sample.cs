using System.Globalization;

namespace Slipstream.PeerRace;

/// <summary>The figures of a block.</summary>
/// <param name="PerSecond">Operations per second of all callers.</param>
/// <param name="Cpu">Microseconds of the process's processor time per operation.</param>
/// <param name="WakeUps">How often a thread of the process waited per operation.</param>
internal sealed record Sample(double PerSecond, double Cpu, double WakeUps)
{
    /// <summary>Reads the answer of a contestant to the command <c>run</c>.</summary>
    /// <param name="answer">The operations, the microseconds that they took, and what the contestant read last.</param>
    /// <param name="used">What the process has used meanwhile.</param>
    /// <param name="isRight">Says whether the database has what the contestant read.</param>
    /// <exception cref="InvalidOperationException">The text has another form, nothing was read, or what was read is wrong.</exception>
    public static Sample Parse(string answer, (double Cpu, long WakeUps) used, Func<string, bool> isRight)
    {
        if (answer.Split(' ') is not [var count, var time, var check]
            || !long.TryParse(count, NumberStyles.None, CultureInfo.InvariantCulture, out var operations)
            || !long.TryParse(time, NumberStyles.None, CultureInfo.InvariantCulture, out var microseconds) || microseconds == 0)
            throw new InvalidOperationException($"its program answered '{answer}'");
        if (operations == 0)
            throw new InvalidOperationException("no operation ended within the block");
        return isRight(check)
            ? new(operations * 1e6 / microseconds, used.Cpu / operations, (double)used.WakeUps / operations)
            : throw new InvalidOperationException($"it has read {check}, which the database does not have");
    }
}
