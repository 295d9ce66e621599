namespace Slipstream.MySql.EntityFrameworkCore.Metadata;

/// <summary>The names of annotations. They are Pomelo's, because they stand in users' migrations; those of vectors are our own.</summary>
internal static class MySqlAnnotationNames
{
    public const string Prefix = "MySql:";
    public const string CharSet = Prefix + "CharSet";
    public const string CharSetDelegation = Prefix + "CharSetDelegation";
    public const string Collation = Prefix + "Collation";
    public const string CollationDelegation = Prefix + "CollationDelegation";
    public const string FullTextIndex = Prefix + "FullTextIndex";
    public const string FullTextParser = Prefix + "FullTextParser";
    public const string GuidCollation = Prefix + "GuidCollation";
    public const string IndexPrefixLength = Prefix + "IndexPrefixLength";
    public const string SpatialIndex = Prefix + "SpatialIndex";
    public const string SpatialReferenceSystemId = Prefix + "SpatialReferenceSystemId";
    public const string VectorDistance = Prefix + "VectorDistance";
    public const string VectorIndex = Prefix + "VectorIndex";
    public const string VectorNeighbors = Prefix + "VectorNeighbors";
    public const string StoreOptions = Prefix + "StoreOptions";
    public const string ValueGenerationStrategy = Prefix + "ValueGenerationStrategy";
}
