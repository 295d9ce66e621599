using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.State;

/// <summary>The types of one server's database, which all sessions of a data source share. The first session loads them.</summary>
/// <param name="mappings">The data source's mappings.</param>
/// <param name="options">Which types are loaded.</param>
internal sealed class TypeSource(TypeMappings mappings, TypeLoadingOptions options)
{
    private volatile TypeCatalogue _current = mappings.IsEmpty ? TypeCatalogue.BuiltIn : new TypeCatalogue(mappings, null);

    /// <summary>Gets the types that are known now.</summary>
    public TypeCatalogue Current => _current;

    /// <summary>Gets which types are loaded.</summary>
    public TypeLoadingOptions Options => options;

    /// <summary>Gets whether the types must be loaded before a command.</summary>
    public bool MustLoad => options.Loads && !_current.IsLoaded;

    /// <summary>Replaces the types.</summary>
    public void Loaded(IReadOnlyCollection<TypeDefinition> types) => _current = new(mappings, types);
}
