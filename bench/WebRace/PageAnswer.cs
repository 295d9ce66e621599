using System.Text.RegularExpressions;

namespace Slipstream.WebRace;

/// <summary>The answer of a site to one request for a page.</summary>
internal sealed partial record PageAnswer(int Status, string? Type, string Body)
{
    private const string Json = "application/json; charset=utf-8";

    /// <summary>Returns what is wrong with the answer; null if it is right.</summary>
    /// <param name="page">The page.</param>
    /// <param name="fortunes">The answer of Slipstream's site to the page <c>fortunes</c>, whose bytes are the same for all; null if it is not known.</param>
    public string? Problem(string page, PageAnswer? fortunes)
    {
        if (Status != 200)
            return $"the page '{page}' has the status {Status}";
        var isRight = page switch
        {
            "fortunes" => fortunes is null || this == fortunes,
            "db" => Type == Json && One().IsMatch(Body),
            _ => Type == Json && Several().IsMatch(Body),
        };
        return isRight ? null : $"the page '{page}' is another one: {Type} {Body}";
    }

    [GeneratedRegex(@"\A\{""id"":\d+,""randomNumber"":\d+\}\z")]
    private static partial Regex One();

    [GeneratedRegex(@"\A\[(\{""id"":\d+,""randomNumber"":\d+\},?){20}(?<!,)\]\z")]
    private static partial Regex Several();
}
