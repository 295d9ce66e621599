namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>How many microseconds a unit has.</summary>
internal static class MicrosecondsOf
{
    public const long Day = 24 * Hour;
    public const long Hour = 60 * Minute;
    public const long Minute = 60 * Second;
    public const long Second = 1000 * Millisecond;
    public const long Millisecond = 1000;
}
