namespace Slipstream.Race.Servers;

/// <summary>Twelve sayings with the lengths and kinds of the TechEmpower test's: plain sentences, one that must be escaped, one outside ASCII.</summary>
internal static class FortuneTexts
{
    public static readonly string[] All =
    [
        "queue: a place where requests go to think about time-outs.",
        "A cache is a promise to be wrong later, and faster.",
        "The index you did not create is the one tonight's report will need.",
        "Every deadlock begins with two polite transactions.",
        "Normalise until it hurts, denormalise until the pager stops.",
        "A schema without a migration is a photograph.",
        "If the plan looks clever, the statistics are out of date.",
        "Nobody remembers the backup that worked; everybody remembers the other one.",
        "Null is not equal to null, and neither of them wants to talk about it.",
        "Rows come and go; the sequence only goes.",
        "<script>alert(\"A driver that does not escape this has other problems.\");</script>",
        "急がば回れ、ただし索引を使え。",
    ];
}
