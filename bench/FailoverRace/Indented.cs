using System.Text.Json;

namespace Slipstream.FailoverRace;

/// <summary>How the file of the results is written.</summary>
internal static class Indented
{
    // A time that did not happen is NaN.
    public static readonly JsonSerializerOptions Options = new()
    {
        WriteIndented = true, NumberHandling = System.Text.Json.Serialization.JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };
}
