namespace Slipstream.MySql.EntityFrameworkCore.Metadata;

/// <summary>The names of annotations. They are Pomelo's, because they stand in users' migrations; those of vectors,
/// sequences and temporal tables are our own.</summary>
internal static class MySqlAnnotationNames
{
    public const string Prefix = "MySql:";
    public const string CharSet = Prefix + "CharSet";
    public const string CharSetDelegation = Prefix + "CharSetDelegation";
    public const string Collation = Prefix + "Collation";
    public const string CollationDelegation = Prefix + "CollationDelegation";
    public const string ColumnCollation = Prefix + "ColumnCollation";
    public const string FullTextIndex = Prefix + "FullTextIndex";
    public const string FullTextParser = Prefix + "FullTextParser";
    public const string GuidCollation = Prefix + "GuidCollation";
    public const string HiLoSequenceName = Prefix + "HiLoSequenceName";
    public const string HiLoSequenceSchema = Prefix + "HiLoSequenceSchema";
    public const string IndexPrefixLength = Prefix + "IndexPrefixLength";
    public const string IsTemporal = Prefix + "IsTemporal";
    public const string Period = Prefix + "Period";
    public const string PeriodEndColumnName = Prefix + "PeriodEndColumnName";
    public const string PeriodEndPropertyName = Prefix + "PeriodEndPropertyName";
    public const string PeriodStartColumnName = Prefix + "PeriodStartColumnName";
    public const string PeriodStartPropertyName = Prefix + "PeriodStartPropertyName";
    public const string SequenceName = Prefix + "SequenceName";
    public const string SequenceNameSuffix = Prefix + "SequenceNameSuffix";
    public const string SequenceSchema = Prefix + "SequenceSchema";
    public const string SpatialIndex = Prefix + "SpatialIndex";
    public const string SpatialReferenceSystemId = Prefix + "SpatialReferenceSystemId";
    public const string VectorDistance = Prefix + "VectorDistance";
    public const string VectorIndex = Prefix + "VectorIndex";
    public const string VectorNeighbors = Prefix + "VectorNeighbors";
    public const string StoreOptions = Prefix + "StoreOptions";
    public const string ValueGenerationStrategy = Prefix + "ValueGenerationStrategy";
}
