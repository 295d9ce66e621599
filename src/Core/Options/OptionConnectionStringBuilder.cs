using System.Collections;
using System.Data.Common;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Slipstream.Core.Options;

namespace Slipstream.Core.Data;

/// <summary>
/// A connection-string builder whose keywords, types, defaults and ranges come from a table of options. Values are checked when they are set. A value of a
/// feature that the driver does not support is refused only when the connection string is used. Connection strings of comparable drivers can thus be read,
/// changed and printed.
/// </summary>
[DebuggerDisplay("{ToStringWithoutSecrets(),nq}")]
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public abstract partial class OptionConnectionStringBuilder : DbConnectionStringBuilder
{
    private readonly OptionTable _table;

    /// <summary>Creates a builder in which all options have their defaults.</summary>
    /// <param name="table">The provider's options.</param>
    private protected OptionConnectionStringBuilder(OptionTable table) => _table = table;

    /// <summary>Gets the names of the options that are set, in the order of the documentation.</summary>
    public override ICollection Keys
    {
        get
        {
            var names = new List<string>();
            foreach (var option in _table.Options)
            {
                if (TextOf(option) is not null)
                    names.Add(option.Name);
            }

            return names;
        }
    }

    /// <summary>
    /// Gets or sets the value of an option, with the option's type. An option that is not set returns its default. Setting null removes the option.
    /// </summary>
    /// <param name="keyword">The option's name or an alias. Case, spaces, hyphens and underscores are ignored.</param>
    /// <value>The value.</value>
    /// <exception cref="ArgumentException">The option does not exist, or the value is not allowed for it.</exception>
    [AllowNull]
    public override object this[string keyword]
    {
        get
        {
            var option = _table.Find(keyword);
            return option.ValueOf(TextOf(option) ?? option.DefaultText);
        }
        set
        {
            var option = _table.Find(keyword);
            KeepInBase();
            if (value is null)
                base.Remove(option.Name);
            else
                base[option.Name] = option.Canonical(value);
        }
    }

    /// <summary>Returns whether the option is set.</summary>
    /// <param name="keyword">The option's name or an alias.</param>
    /// <returns>True if the keyword is an option and the option is set.</returns>
    public override bool ContainsKey(string keyword) => IsSet(keyword);

    /// <summary>Returns whether the keyword is an option, set or not.</summary>
    private protected bool IsOption(string keyword) => _table.TryFind(keyword, out _);

    /// <summary>Returns whether the keyword is an option that is set.</summary>
    private protected bool IsSet(string keyword) => _table.TryFind(keyword, out var option) && TextOf(option) is not null;

    /// <summary>Resets an option to its default.</summary>
    /// <param name="keyword">The option's name or an alias.</param>
    /// <returns>False if the option was not set or does not exist.</returns>
    public override bool Remove(string keyword)
    {
        KeepInBase();
        return _table.TryFind(keyword, out var option) && base.Remove(option.Name);
    }

    /// <summary>Resets all options to their defaults.</summary>
    public override void Clear()
    {
        KeepInBase();
        base.Clear();
    }

    /// <summary>Returns whether the option is part of the connection string, because it is set.</summary>
    /// <param name="keyword">The option's name or an alias.</param>
    /// <returns>True if the keyword is an option and the option is set.</returns>
    public override bool ShouldSerialize(string keyword) => IsSet(keyword);

    /// <summary>Gets the text of an option that is set.</summary>
    /// <param name="keyword">The option's name or an alias.</param>
    /// <param name="value">The option's value as text; null if it is not set or does not exist.</param>
    /// <returns>False if the option is not set or does not exist.</returns>
    public override bool TryGetValue(string keyword, [NotNullWhen(true)] out object? value)
    {
        value = _table.TryFind(keyword, out var option) ? TextOf(option) : null;
        return value is not null;
    }

    /// <summary>The whole connection string with its secrets, as <see cref="DbConnectionStringBuilder.ConnectionString"/> returns it.</summary>
    internal string ToText() => Print(static (_, _) => true);

    /// <summary>Returns the connection string without its secret values, such as the password: the form to show or log.</summary>
    /// <returns>The options that are set and not secret.</returns>
    public string ToStringWithoutSecrets() => Print(static (option, _) => !option.IsSecret);

    /// <summary>
    /// The key that distinguishes this connection string from others: the options that are not at their default, in the table's order and canonical form. It
    /// contains secrets: use it only for comparison, never for output.
    /// </summary>
    internal string ToKey() => Print(static (option, value) => !option.IsDefault(value));

    /// <summary>Checks that no option requests an unsupported feature.</summary>
    /// <exception cref="NotSupportedException">An option's value requests an unsupported feature. The message says what to do.</exception>
    internal void ThrowIfRefused()
    {
        foreach (var option in _table.Options)
        {
            if (TextOf(option) is { } value && option.Refusal(value) is { } sentence)
                throw new NotSupportedException(option.IsSecret ? $"{option.Name}: {sentence}" : $"{option.Name}={value}: {sentence}");
        }
    }

    /// <summary>Adds a descriptor for each option, for property grids and binders: with its heading, description and default from the table.</summary>
    /// <param name="propertyDescriptors">The collection to fill.</param>
    [RequiresUnreferencedCode("PropertyDescriptor's PropertyType cannot be statically discovered.")]
    [UnconditionalSuppressMessage(
        "ReflectionAnalysis", "IL2112", Justification = "The base class asks for its public members to be kept; this one looks at no type by reflection.")]
    protected override void GetProperties(Hashtable propertyDescriptors)
    {
        ArgumentNullException.ThrowIfNull(propertyDescriptors);
        foreach (var group in _table.Groups)
            foreach (var option in group.Options)
                propertyDescriptors[option.Name] = new OptionPropertyDescriptor(option, group);
    }

    /// <summary>The typed value of an option.</summary>
    private protected string Get(TextOption option) => TextOf(option) is { } text ? option.Parse(text) : option.Default;

    /// <inheritdoc cref="Get(TextOption)"/>
    private protected bool Get(SwitchOption option) => TextOf(option) is { } text ? option.Parse(text) : option.Default;

    /// <inheritdoc cref="Get(TextOption)"/>
    private protected long Get(NumberOption option) => TextOf(option) is { } text ? option.Parse(text) : option.Default;

    /// <summary>The value of a word option, of the enumeration with which the option was declared.</summary>
    private protected Enum Get(WordOption option) => TextOf(option) is { } text ? option.Parse(text) : option.Default;

    /// <summary>Sets an option; null removes it.</summary>
    private protected void Set(Option option, object? value)
    {
        ArgumentNullException.ThrowIfNull(option);
        this[option.Name] = value;
    }

    private string? TextOf(Option option)
    {
        ArgumentNullException.ThrowIfNull(option);
        if (_read is { } read)
            return read.GetValueOrDefault(option.Name);
        return base.TryGetValue(option.Name, out var value) ? (string)value : null;
    }

    private string Print(Func<Option, string, bool> wanted)
    {
        var text = new StringBuilder();
        foreach (var option in _table.Options)
        {
            if (TextOf(option) is { } value && wanted(option, value))
                Append(text, option.Name, value);
        }

        return text.ToString();
    }

    // Most values need no quotes. Then the runtime's method, which decides with regular expressions, is neither called nor loaded.
    private static void Append(StringBuilder text, string name, string value)
    {
        foreach (var letter in value)
        {
            if (char.IsAsciiLetterOrDigit(letter) || letter is '.' or '-' or '_' or ':' or '/' or ',' or '@')
                continue;
            AppendKeyValuePair(text, name, value);
            return;
        }

        if (value.Length == 0)
        {
            AppendKeyValuePair(text, name, value);
            return;
        }

        if (text.Length > 0)
            text.Append(';');
        text.Append(name).Append('=').Append(value);
    }
}
