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
[SuppressMessage("Naming", "CA1710:Identifiers should have correct suffix", Justification = "ADO.NET's name.")]
public sealed partial class PgConnectionStringBuilder : OptionConnectionStringBuilder, IDictionary<string, object?>
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

    /// <summary>Gets the names of the options that are set, in the order of the documentation.</summary>
    public new ICollection<string> Keys => [.. base.Keys.Cast<string>()];

    /// <summary>Gets the values of the options that are set, in the order of <see cref="Keys"/>.</summary>
    public new ICollection<object?> Values => [.. Pairs().Select(static pair => pair.Value)];

    /// <summary>Returns whether a keyword is an option, even if it is not set.</summary>
    /// <param name="keyword">The option's name or an alias.</param>
    /// <returns>True if the keyword is an option.</returns>
    public override bool ContainsKey(string keyword) => IsOption(keyword);

    bool ICollection<KeyValuePair<string, object?>>.IsReadOnly => false;

    void IDictionary<string, object?>.Add(string key, object? value) => this[key] = value!;

    /// <summary>Sets an option.</summary>
    /// <param name="item">The option's name or an alias, and its value.</param>
    /// <exception cref="ArgumentException">The option does not exist, or the value is not allowed for it.</exception>
    public void Add(KeyValuePair<string, object?> item) => this[item.Key] = item.Value!;

    /// <summary>Returns whether an option is set to a value.</summary>
    /// <param name="item">The option's name or an alias, and the value, with the option's type.</param>
    /// <returns>True if the option is set to the value.</returns>
    public bool Contains(KeyValuePair<string, object?> item) => IsSet(item.Key) && Equals(this[item.Key], item.Value);

    /// <summary>Copies the options that are set into an array.</summary>
    /// <param name="array">The array.</param>
    /// <param name="arrayIndex">The index in the array of the first option.</param>
    /// <exception cref="ArgumentException">The array is too short.</exception>
    public void CopyTo(KeyValuePair<string, object?>[] array, int arrayIndex) => Pairs().CopyTo(array, arrayIndex);

    /// <summary>Resets an option to its default, if it is set to a value.</summary>
    /// <param name="item">The option's name or an alias, and the value.</param>
    /// <returns>False if the option is not set to the value.</returns>
    public bool Remove(KeyValuePair<string, object?> item) => Contains(item) && Remove(item.Key);

    /// <summary>Returns the options that are set, in the order of the documentation, with their values.</summary>
    /// <returns>An enumerator of a copy.</returns>
    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => Pairs().GetEnumerator();

    private List<KeyValuePair<string, object?>> Pairs() => [.. Keys.Select(name => KeyValuePair.Create<string, object?>(name, this[name]))];

    /// <summary>Creates a builder for reading inside the driver. Its <c>ConnectionString</c> is never used.</summary>
    internal static PgConnectionStringBuilder ForReading(string? connectionString)
    {
        var builder = new PgConnectionStringBuilder();
        builder.Read(connectionString ?? "");
        return builder;
    }

    internal static OptionTable Table => PgOptions.Table;
}
