using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.Core.Options;
using Slipstream.MySql.Options;

namespace Slipstream.MySql;

/// <summary>
/// Reads, changes and writes connection strings. Keywords ignore case, spaces, hyphens and underscores. An unknown keyword is an error that suggests the
/// nearest one. Names and defaults are those of MySqlConnector.
/// </summary>
/// <remarks>
/// docs/options.md lists every option. The properties are in the generated part of this class. They are generated from the option table, which declares the
/// options.
/// </remarks>
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed partial class MySqlConnectionStringBuilder : OptionConnectionStringBuilder
{
    /// <summary>Creates a builder in which all options have their defaults.</summary>
    public MySqlConnectionStringBuilder()
        : base(MySqlOptions.Table)
    {
    }

    /// <summary>Creates a builder from a connection string.</summary>
    /// <param name="connectionString">The connection string; null is the same as an empty one.</param>
    /// <exception cref="ArgumentException">An option does not exist, or its value is not allowed. The message names both.</exception>
    public MySqlConnectionStringBuilder(string? connectionString)
        : base(MySqlOptions.Table) => Set(connectionString ?? "");

    /// <summary>Creates a builder that only reads a connection string inside the driver. Its <c>ConnectionString</c> is never used.</summary>
    internal static MySqlConnectionStringBuilder ForReading(string? connectionString)
    {
        var builder = new MySqlConnectionStringBuilder();
        builder.Read(connectionString ?? "");
        return builder;
    }

    /// <summary>
    /// Gets or sets the value of an option, in the option's type. If the option is not set, its default is returned. Setting null removes the option.
    /// </summary>
    /// <exception cref="ArgumentException">The option does not exist, or the value is not allowed for it.</exception>
    [AllowNull]
    public override object this[string key] { get => base[key]; set => base[key] = value; }

    /// <summary>Gets or sets the value of <see cref="SslCa"/> under its older name.</summary>
    [Obsolete("Use SslCa.")]
    [AllowNull]
    public string CACertificateFile { get => SslCa; set => SslCa = value; }

    internal static OptionTable Table => MySqlOptions.Table;
}
