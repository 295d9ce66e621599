using System.Text;

namespace Slipstream.PeerRace;

/// <summary>The checksum of a list of fortunes, which each contestant computes in its own language.</summary>
internal static class Checksum
{
    private const uint Start = 2_166_136_261;
    private const uint Prime = 16_777_619;

    /// <summary>Returns FNV-1a of 32 bits over the lines <c>ID TAB MESSAGE LF</c> in UTF-8, as eight lower-case hexadecimal digits.</summary>
    public static string Of(IEnumerable<(int Id, string Message)> fortunes)
    {
        var sum = Start;
        foreach (var (id, message) in fortunes)
            foreach (var one in Encoding.UTF8.GetBytes($"{id}\t{message}\n"))
                sum = unchecked((sum ^ one) * Prime);
        return sum.ToString("x8");
    }
}
