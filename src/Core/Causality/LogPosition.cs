namespace Slipstream.Core.Causality;

/// <summary>How much of a cluster's log a server has executed, or a caller has written. Positions are immutable.</summary>
internal abstract class LogPosition
{
    /// <summary>The position of writes that no server has reported. No server covers it.</summary>
    public static LogPosition Unknown { get; } = new UnknownPosition();

    /// <summary>Returns whether a server at this position has executed all of the other one. False if the two cannot be compared.</summary>
    public abstract bool Covers(LogPosition other);

    /// <summary>Returns whether a server at this position may reach the other one by executing more of its log.</summary>
    public abstract bool MayReach(LogPosition other);

    /// <summary>Returns the position that covers both; <see cref="Unknown"/> if there is none.</summary>
    public abstract LogPosition Join(LogPosition other);

    /// <summary>Returns the position in the notation of a <see cref="WriteToken"/>.</summary>
    public abstract override string ToString();

    private sealed class UnknownPosition : LogPosition
    {
        public override bool Covers(LogPosition other) => false;

        public override bool MayReach(LogPosition other) => false;

        public override LogPosition Join(LogPosition other) => this;

        public override string ToString() => WriteToken.OfUnknown;
    }
}
