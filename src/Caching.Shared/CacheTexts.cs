namespace Slipstream.Caching;

/// <summary>
/// The statements of a cache for its table. Parameters: <c>@id</c>, and those of <see cref="EntryTimes"/> and the value in <see cref="Set"/>.
/// </summary>
/// <param name="Get">Prolongs a sliding entry and returns its value, in one text.</param>
/// <param name="Refresh">Prolongs a sliding entry.</param>
/// <param name="Set">Adds or replaces an entry.</param>
/// <param name="Remove">Removes an entry.</param>
/// <param name="CreateTable">Creates the table with its index if it does not exist.</param>
internal sealed record CacheTexts(string Get, string Refresh, string Set, string Remove, string CreateTable)
{
    public const string Id = "@id";
    public const string Value = "@value";
    public const string Sliding = "@sliding";
    public const string Relative = "@relative";
    public const string Instant = "@instant";
}
