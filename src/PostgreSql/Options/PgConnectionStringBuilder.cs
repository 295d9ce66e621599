using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.Core.Options;
using Slipstream.PostgreSql.Options;

namespace Slipstream.PostgreSql;

/// <summary>
/// Reads, changes and writes connection strings. Keywords are read without regard to case, spaces, hyphens and underscores; an unknown one is an
/// error that suggests the nearest. Names and defaults are Npgsql's.
/// </summary>
/// <remarks>
/// docs/options.md lists every option. The properties are written from the option table, where an option is declared: they are in the generated part of this
/// class.
/// </remarks>
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed partial class PgConnectionStringBuilder : OptionConnectionStringBuilder
{
    /// <summary>A builder in which all options have their defaults.</summary>
    public PgConnectionStringBuilder()
        : base(PgOptions.Table)
    {
    }

    /// <summary>Reads a connection string; null is an empty one.</summary>
    /// <exception cref="ArgumentException">An option does not exist, or its value is not allowed; the message names both.</exception>
    public PgConnectionStringBuilder(string? connectionString)
        : base(PgOptions.Table) => Set(connectionString ?? "");

    /// <summary>A connection string to look at, inside the driver. Its <c>ConnectionString</c> is never asked for.</summary>
    internal static PgConnectionStringBuilder ForReading(string? connectionString)
    {
        var builder = new PgConnectionStringBuilder();
        builder.Read(connectionString ?? "");
        return builder;
    }

    internal static OptionTable Table => PgOptions.Table;
}
