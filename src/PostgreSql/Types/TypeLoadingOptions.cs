using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>Which types a data source loads from the database.</summary>
/// <param name="Loads">False to load none.</param>
/// <param name="LoadsTables">Whether the types of tables are loaded, too.</param>
/// <param name="Schemas">The schemas whose types are loaded; empty for all.</param>
internal sealed record TypeLoadingOptions(bool Loads, bool LoadsTables, IReadOnlyList<string> Schemas)
{
    public static TypeLoadingOptions Default { get; } = new(true, false, []);
}
