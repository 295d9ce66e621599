using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

/// <summary>
/// Sets which types a data source loads from the database when its first connection is opened: by default all but those of tables. The load is one query.
/// </summary>
public sealed class PgTypeLoadingOptionsBuilder
{
    private bool _loads = true;
    private bool? _loadsTables;
    private string[] _schemas = [];

    internal PgTypeLoadingOptionsBuilder()
    {
    }

    /// <summary>Loads the composite types of tables, so that whole rows can be read as a value. Default: they are not loaded.</summary>
    /// <param name="enable">Whether they are loaded.</param>
    /// <returns>The builder.</returns>
    public PgTypeLoadingOptionsBuilder EnableTableCompositesLoading(bool enable = true)
    {
        _loadsTables = enable;
        return this;
    }

    /// <summary>Loads types. Without it, values of types that are not built in are read as text. Default: types are loaded.</summary>
    /// <param name="enable">Whether types are loaded.</param>
    /// <returns>The builder.</returns>
    public PgTypeLoadingOptionsBuilder EnableTypeLoading(bool enable = true)
    {
        _loads = enable;
        return this;
    }

    /// <summary>Loads only the types of some schemas. Default: those of all schemas.</summary>
    /// <param name="schemas">The names of the schemas; null or empty for all.</param>
    /// <returns>The builder.</returns>
    public PgTypeLoadingOptionsBuilder SetTypeLoadingSchemas(params IEnumerable<string>? schemas)
    {
        _schemas = [.. schemas ?? []];
        return this;
    }

    // The connection string's options apply unless the builder's do.
    internal TypeLoadingOptions Build(TypeLoadingOptions options) =>
        new(_loads && options.Loads, _loadsTables ?? options.LoadsTables, _schemas);
}
