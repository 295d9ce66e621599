using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.Core.Options;
using Slipstream.MySql.Options;

namespace Slipstream.MySql;

/// <summary>
/// Reads, changes and writes connection strings. Keywords are read without regard to case, spaces, hyphens and underscores; an unknown one is an
/// error that suggests the nearest. Names and defaults are MySqlConnector's.
/// </summary>
/// <remarks>
/// docs/options.md lists every option. The properties are written from the option table, where an option is declared: they are in the generated part of this
/// class.
/// </remarks>
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed partial class MySqlConnectionStringBuilder : OptionConnectionStringBuilder
{
    /// <summary>A builder in which all options have their defaults.</summary>
    public MySqlConnectionStringBuilder()
        : base(MySqlOptions.Table)
    {
    }

    /// <summary>Reads a connection string; null is an empty one.</summary>
    /// <exception cref="ArgumentException">An option does not exist, or its value is not allowed; the message names both.</exception>
    public MySqlConnectionStringBuilder(string? connectionString)
        : base(MySqlOptions.Table) => Set(connectionString ?? "");

    /// <summary>A connection string to look at, inside the driver. Its <c>ConnectionString</c> is never asked for.</summary>
    internal static MySqlConnectionStringBuilder ForReading(string? connectionString)
    {
        var builder = new MySqlConnectionStringBuilder();
        builder.Read(connectionString ?? "");
        return builder;
    }

    /// <summary>An option's value, of the option's type; its default when it was not set. Setting null removes it.</summary>
    /// <exception cref="ArgumentException">There is no such option, or the value is not allowed for it.</exception>
    [AllowNull]
    public override object this[string key] { get => base[key]; set => base[key] = value; }

    /// <summary>The older name of <see cref="SslCa"/>.</summary>
    [Obsolete("Use SslCa.")]
    [AllowNull]
    public string CACertificateFile { get => SslCa; set => SslCa = value; }

    internal static OptionTable Table => MySqlOptions.Table;
}
