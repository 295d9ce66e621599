using System.Numerics;

namespace Slipstream.Core.Options;

/// <summary>A heading of the documentation and the options below it. Declaring an option adds it to the table.</summary>
public sealed class OptionGroup
{
    private readonly List<Option> _options = [];
    private readonly OptionTable _table;

    internal OptionGroup(OptionTable table, string title)
    {
        _table = table;
        Title = title;
    }

    public string Title { get; }

    /// <summary>In the order they were declared.</summary>
    public IReadOnlyList<Option> Options => _options;

    public Option<string> Text(string name, string[] aliases, string doc, string defaultValue = "", Func<string, string?>? refuses = null) =>
        Add(new TextOption(name, aliases, defaultValue, doc) { Refuses = refuses });

    public Option<string> Secret(string name, string[] aliases, string doc, Func<string, string?>? refuses = null) =>
        Add(new TextOption(name, aliases, "", doc) { IsSecret = true, Refuses = refuses });

    public Option<bool> Switch(string name, string[] aliases, bool defaultValue, string doc, Func<bool, string?>? refuses = null) =>
        Add(new SwitchOption(name, aliases, defaultValue, doc) { Refuses = refuses });

    // The unit is what the number counts, in the plural ("seconds"); empty for none.
    public Option<T> Number<T>(string name, string[] aliases, T defaultValue, T minimum, T maximum, string unit, string doc, Func<T, string?>? refuses = null)
        where T : struct, IBinaryInteger<T> =>
        Add(new NumberOption<T>(name, aliases, defaultValue, minimum, maximum, unit, doc) { Refuses = refuses });

    // The word Auto or a number; Auto, the default, is −1.
    public Option<int> NumberOrAuto(string name, string[] aliases, int maximum, string unit, string doc) => Add(new AutoOption(name, aliases, maximum, unit, doc));

    public Option<T> Words<T>(string name, string[] aliases, T defaultValue, (string Word, T Value)[] words, string doc, Func<T, string?>? refuses = null)
        where T : struct, Enum =>
        Add(new WordOption<T>(name, aliases, defaultValue, words, doc) { Refuses = refuses });

    private TOption Add<TOption>(TOption option) where TOption : Option
    {
        _table.Add(option);
        _options.Add(option);
        return option;
    }
}
