namespace Slipstream.Core.Data;

/// <summary>The collections that a provider has for one kind of server, and the two that list them.</summary>
internal sealed class SchemaCatalog
{
    private const string AboutCollections = "MetaDataCollections";
    private const string AboutRestrictions = "Restrictions";

    private readonly SchemaCollection[] _collections;

    /// <param name="collections">In the order in which they are listed; MetaDataCollections stands in front,
    /// Restrictions where <paramref name="restrictionsAt"/> says.</param>
    /// <param name="restrictionsAt">Its index among them.</param>
    public SchemaCatalog(IEnumerable<SchemaCollection> collections, int restrictionsAt = 1)
    {
        var all = collections.ToList();
        all.Insert(0, new(AboutCollections, "CollectionName, NumberOfRestrictions:int, NumberOfIdentifierParts:int") { Rows = _ => CollectionRows() });
        all.Insert(restrictionsAt, new(AboutRestrictions, "CollectionName, RestrictionName, RestrictionDefault, RestrictionNumber:int") { Rows = _ => RestrictionRows() });
        _collections = [.. all];
    }

    /// <summary>The collection that lists the others: what <c>GetSchema()</c> without a name answers.</summary>
    public static string Default => AboutCollections;

    /// <exception cref="ArgumentException">There is no such collection.</exception>
    public SchemaCollection Find(string collectionName) =>
        Array.Find(_collections, one => one.Name.Equals(collectionName, StringComparison.OrdinalIgnoreCase))
        ?? throw new ArgumentException(
            $"There is no schema collection '{collectionName}'. There are {string.Join(", ", _collections.Select(static one => one.Name))}.", nameof(collectionName));

    private IEnumerable<object?[]> CollectionRows() => _collections.Select(static one => new object?[] { one.Name, one.RestrictionList.Count, one.IdentifierParts });

    private IEnumerable<object?[]> RestrictionRows() =>
        from one in _collections
        from restriction in one.RestrictionList.Index()
        select new object?[] { one.Name, restriction.Item.Name, one.ColumnOf(restriction.Item.Expression), restriction.Index + 1 };
}
