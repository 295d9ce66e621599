namespace Slipstream.Core.Options;

/// <summary>A heading of the documentation and its options. Declaring an option adds it to the table.</summary>
internal sealed class OptionGroup
{
    private readonly List<Option> _options = [];
    private readonly OptionTable _table;

    internal OptionGroup(OptionTable table, string title)
    {
        _table = table;
        Title = title;
    }

    /// <summary>The group's heading in the documentation.</summary>
    public string Title { get; }

    /// <summary>The options, in the order of their declaration.</summary>
    public IReadOnlyList<Option> Options => _options;

    /// <summary>Adds an option for any text.</summary>
    public TextOption Text(
        string name, string[] aliases, string doc, string defaultValue = "", Func<string, string?>? refuses = null, Func<string, string?>? rejects = null) =>
        Add(new TextOption(name, aliases, defaultValue, doc) { Refuses = refuses, Rejects = rejects });

    /// <summary>Adds an option with a secret value.</summary>
    public TextOption Secret(string name, string[] aliases, string doc, Func<string, string?>? refuses = null) =>
        Add(new TextOption(name, aliases, "", doc) { IsSecret = true, Refuses = refuses });

    /// <summary>Adds an option for true or false.</summary>
    public SwitchOption Switch(string name, string[] aliases, bool defaultValue, string doc, Func<bool, string?>? refuses = null) =>
        Add(new SwitchOption(name, aliases, defaultValue, doc) { Refuses = refuses });

    // The unit is what the number counts, in the plural ("seconds"); empty without one. The type is that of the provider's property.
    // <summary>Adds an option for a number with bounds and a unit.</summary>
    public NumberOption Number(
        string name, string[] aliases, int defaultValue, int minimum, int maximum, string unit, string doc, Func<long, string?>? refuses = null) =>
        Add(new NumberOption(name, aliases, TypeCode.Int32, defaultValue, minimum, maximum, unit, doc) { Refuses = refuses });

    /// <summary>Adds an option for a number with bounds and a unit.</summary>
    public NumberOption Number(
        string name, string[] aliases, uint defaultValue, uint minimum, uint maximum, string unit, string doc, Func<long, string?>? refuses = null) =>
        Add(new NumberOption(name, aliases, TypeCode.UInt32, defaultValue, minimum, maximum, unit, doc) { Refuses = refuses });

    /// <summary>Adds an option for a number with bounds and a unit.</summary>
    public NumberOption Number(
        string name, string[] aliases, long defaultValue, long minimum, long maximum, string unit, string doc, Func<long, string?>? refuses = null) =>
        Add(new NumberOption(name, aliases, TypeCode.Int64, defaultValue, minimum, maximum, unit, doc) { Refuses = refuses });

    // Auto is the default; its value is −1.
    // <summary>Adds an option for a number or the word Auto.</summary>
    public NumberOption NumberOrAuto(string name, string[] aliases, int maximum, string unit, string doc) =>
        Add(new AutoOption(name, aliases, maximum, unit, doc));

    /// <summary>Adds an option for one of several words.</summary>
    public WordOption Words(
        string name, string[] aliases, Enum defaultValue, (string Word, Enum Value)[] words, string doc, Func<Enum, string?>? refuses = null) =>
        Add(new WordOption(name, aliases, defaultValue, words, doc) { Refuses = refuses });

    private TOption Add<TOption>(TOption option) where TOption : Option
    {
        _table.Add(option);
        _options.Add(option);
        return option;
    }
}
