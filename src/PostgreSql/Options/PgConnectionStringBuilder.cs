using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.Core.Options;
using Slipstream.PostgreSql.Options;

namespace Slipstream.PostgreSql;

/// <summary>
/// Reads, changes and writes connection strings. Keywords are case-insensitive, and spaces, hyphens and underscores in them are ignored. An unknown keyword is
/// an error that suggests the most similar one. Names and defaults are Npgsql's.
/// </summary>
/// <remarks>
/// docs/options.md lists every option. The properties are in the generated part of this class, which is written from the declarations of the options.
/// </remarks>
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed partial class PgConnectionStringBuilder : OptionConnectionStringBuilder
{
    /// <summary>Creates a builder in which all options have their defaults.</summary>
    public PgConnectionStringBuilder()
        : base(PgOptions.Table)
    {
    }

    /// <summary>Creates a builder from a connection string.</summary>
    /// <param name="connectionString">The connection string; null means an empty one.</param>
    /// <exception cref="ArgumentException">An option does not exist, or its value is not allowed; the message names both.</exception>
    public PgConnectionStringBuilder(string? connectionString)
        : base(PgOptions.Table) => Set(connectionString ?? "");

    /// <summary>Creates a builder for reading inside the driver. Its <c>ConnectionString</c> is never used.</summary>
    internal static PgConnectionStringBuilder ForReading(string? connectionString)
    {
        var builder = new PgConnectionStringBuilder();
        builder.Read(connectionString ?? "");
        return builder;
    }

    internal static OptionTable Table => PgOptions.Table;
}
