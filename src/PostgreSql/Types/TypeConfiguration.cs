using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>What a data source's builder determines about types, in addition to the connection string.</summary>
/// <param name="Mappings">The mappings of .NET types.</param>
/// <param name="Loading">Changes the connection string's options of type loading; null for none.</param>
internal sealed record TypeConfiguration(TypeMappings Mappings, Func<TypeLoadingOptions, TypeLoadingOptions>? Loading);
