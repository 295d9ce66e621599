using System.Collections;
using System.Data.Common;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Slipstream.Core.Options;

namespace Slipstream.Core.Data;

/// <summary>
/// A connection-string builder whose keywords, types, defaults and ranges come from an <see cref="OptionTable"/>. Values are checked when they
/// are set; values that name a feature which is not here are refused when the string is used (<see cref="ThrowIfRefused"/>), so that every
/// connection string a peer accepts can be read, changed and printed.
/// </summary>
[DebuggerDisplay("{ToStringWithoutSecrets(),nq}")]
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public abstract partial class OptionConnectionStringBuilder : DbConnectionStringBuilder
{
    private readonly OptionTable _table;

    /// <summary>Creates a builder in which all options of the table have their defaults.</summary>
    /// <param name="table">The provider's options.</param>
    private protected OptionConnectionStringBuilder(OptionTable table) => _table = table;

    /// <summary>The names of the options that were set, in the order of the documentation.</summary>
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

    /// <summary>An option's value, of the option's type; its default when it was not set. Setting null removes it.</summary>
    /// <exception cref="ArgumentException">There is no such option, or the value is not allowed for it.</exception>
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

    /// <summary>True when the option that the keyword names was set.</summary>
    public override bool ContainsKey(string keyword) => _table.TryFind(keyword, out var option) && TextOf(option) is not null;

    /// <summary>Back to the default; false when it was not set or is no option.</summary>
    public override bool Remove(string keyword)
    {
        KeepInBase();
        return _table.TryFind(keyword, out var option) && base.Remove(option.Name);
    }

    /// <inheritdoc/>
    public override void Clear()
    {
        KeepInBase();
        base.Clear();
    }

    /// <summary>True when the option was set: then it is part of the connection string.</summary>
    public override bool ShouldSerialize(string keyword) => ContainsKey(keyword);

    /// <summary>The text an option was set to; false when it was not set or is no option.</summary>
    public override bool TryGetValue(string keyword, [NotNullWhen(true)] out object? value)
    {
        value = _table.TryFind(keyword, out var option) ? TextOf(option) : null;
        return value is not null;
    }

    /// <summary>The whole connection string, with its secrets: what <see cref="DbConnectionStringBuilder.ConnectionString"/> says.</summary>
    internal string ToText() => Print(static (_, _) => true);

    /// <summary>The connection string as it may be shown: without the values that are secret.</summary>
    public string ToStringWithoutSecrets() => Print(static (option, _) => !option.IsSecret);

    /// <summary>
    /// What tells this connection string from others: the options that are not at their default, in the table's order and canonical form.
    /// Holds secrets: it is for comparing, not for printing.
    /// </summary>
    internal string ToKey() => Print(static (option, value) => !option.IsDefault(value));

    /// <summary>Checks that nothing is asked for that is not here.</summary>
    /// <exception cref="NotSupportedException">An option's value names a feature that is not here; the message says what to do.</exception>
    internal void ThrowIfRefused()
    {
        foreach (var option in _table.Options)
        {
            if (TextOf(option) is { } value && option.Refusal(value) is { } sentence)
                throw new NotSupportedException(option.IsSecret ? $"{option.Name}: {sentence}" : $"{option.Name}={value}: {sentence}");
        }
    }

    /// <summary>What property grids and binders show: each option with its heading, description and default, from the table.</summary>
    [RequiresUnreferencedCode("PropertyDescriptor's PropertyType cannot be statically discovered.")]
    [UnconditionalSuppressMessage("ReflectionAnalysis", "IL2112", Justification = "The base class asks for its public members to be kept; this one looks at no type by reflection.")]
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

    /// <summary>The value of an option that is a word: of the enumeration that the option was declared with.</summary>
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

    // Most values need no quotes, and then the runtime's method, which decides with regular expressions, need not be asked (nor loaded).
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
