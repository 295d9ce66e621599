using System.Globalization;

namespace Slipstream.Core.Options;

/// <summary>An option for any text. NUL is refused: on the wire it would end the text early, and the rest would be read as something else.</summary>
internal sealed class TextOption : Option
{
    internal TextOption(string name, string[] aliases, string defaultValue, string doc)
        : base(name, aliases, doc) => Default = defaultValue;

    /// <summary>The value if the option is not set.</summary>
    public string Default { get; }

    /// <summary>Returns a sentence for values of features that are not supported (yet), which says what to do instead; null for other values.</summary>
    public Func<string, string?>? Refuses { get; init; }

    /// <summary>
    /// Returns a sentence about what is wrong with a value that has no meaning, and null for other values. Unlike one that the driver does not support, such a
    /// value cannot be set.
    /// </summary>
    public Func<string, string?>? Rejects { get; init; }

    /// <inheritdoc/>
    public override string DefaultText => Default;

    /// <inheritdoc/>
    public override string Allowed => "text without a NUL character (U+0000)";

    /// <inheritdoc/>
    public override string AllowedInShort => "text";

    /// <summary>Parses a text.</summary>
    /// <exception cref="ArgumentException">The value is not allowed. The message lists what is.</exception>
    public string Parse(string text) => text.Contains('\0') ? throw NotAllowed(text) : text;

    /// <inheritdoc/>
    public override string Canonical(object value)
    {
        var text = Parse(Convert.ToString(value, CultureInfo.InvariantCulture) ?? "");
        return Rejects?.Invoke(text) is { } sentence ? throw new ArgumentException($"{Name}={text}: {sentence}", Name) : text;
    }

    /// <inheritdoc/>
    public override object ValueOf(string canonical) => Parse(canonical);

    /// <inheritdoc/>
    public override string? Refusal(string canonical) => Refuses?.Invoke(Parse(canonical));
}

/// <summary>An option for true or false, also in other common spellings.</summary>
internal sealed class SwitchOption : Option
{
    internal SwitchOption(string name, string[] aliases, bool defaultValue, string doc)
        : base(name, aliases, doc) => Default = defaultValue;

    /// <summary>The value if the option is not set.</summary>
    public bool Default { get; }

    /// <inheritdoc cref="TextOption.Refuses"/>
    public Func<bool, string?>? Refuses { get; init; }

    /// <inheritdoc/>
    public override string DefaultText => Format(Default);

    /// <inheritdoc/>
    public override string Allowed => "true or false (also yes, no, on, off, 1, 0)";

    /// <inheritdoc/>
    public override string AllowedInShort => "True, False";

    /// <summary>Parses a text.</summary>
    /// <exception cref="ArgumentException">The value is not allowed. The message lists what is.</exception>
    public bool Parse(string text)
    {
        var word = text.Trim();
        if (Is(word, "true") || Is(word, "yes") || Is(word, "on") || word == "1")
            return true;
        return Is(word, "false") || Is(word, "no") || Is(word, "off") || word == "0" ? false : throw NotAllowed(text);

        static bool Is(string text, string word) => text.Equals(word, StringComparison.OrdinalIgnoreCase);
    }

    /// <inheritdoc/>
    public override string Canonical(object value) => Format(value is bool known ? known : Parse(Convert.ToString(value, CultureInfo.InvariantCulture) ?? ""));

    /// <inheritdoc/>
    public override object ValueOf(string canonical) => Parse(canonical);

    /// <inheritdoc/>
    public override string? Refusal(string canonical) => Refuses?.Invoke(Parse(canonical));

    private static string Format(bool value) => value ? "True" : "False";
}

/// <summary>An option for a whole number between two bounds, of the type of the provider's property.</summary>
internal class NumberOption : Option
{
    private readonly TypeCode _type;
    private readonly long _minimum;
    private readonly long _maximum;

    internal NumberOption(string name, string[] aliases, TypeCode type, long defaultValue, long minimum, long maximum, string unit, string doc)
        : base(name, aliases, doc)
    {
        _type = type;
        Default = defaultValue;
        _minimum = minimum;
        _maximum = maximum;
        Unit = unit;
    }

    /// <summary>The value if the option is not set.</summary>
    public long Default { get; }

    /// <inheritdoc/>
    public override string Unit { get; }

    /// <inheritdoc cref="TextOption.Refuses"/>
    public Func<long, string?>? Refuses { get; init; }

    /// <inheritdoc/>
    public override string DefaultText => Format(Default);

    /// <inheritdoc/>
    public override string Allowed => $"a whole number{(Unit.Length > 0 ? " of " + Unit : "")} from {Format(_minimum)} to {Format(_maximum)}";

    /// <inheritdoc/>
    public override string AllowedInShort => $"{Format(_minimum)} to {Format(_maximum)}{(Unit.Length > 0 ? " " + Unit : "")}";

    /// <summary>Parses a text.</summary>
    /// <exception cref="ArgumentException">The value is not allowed. The message lists what is.</exception>
    public long Parse(string text) => TryParse(text, out var value) && value >= _minimum && value <= _maximum ? value : throw NotAllowed(text);

    /// <inheritdoc/>
    public override string Canonical(object value) => Format(Parse(Convert.ToString(value, CultureInfo.InvariantCulture) ?? ""));

    /// <inheritdoc/>
    public override object ValueOf(string canonical) =>
        Parse(canonical) is var value && _type == TypeCode.UInt32 ? (uint)value : _type == TypeCode.Int32 ? (int)value : (object)value;

    /// <inheritdoc/>
    public override string? Refusal(string canonical) => Refuses?.Invoke(Parse(canonical));

    private protected virtual string Format(long value) => value.ToString(CultureInfo.InvariantCulture);

    private protected virtual bool TryParse(string text, out long value) =>
        long.TryParse(
            text, NumberStyles.AllowLeadingSign | NumberStyles.AllowLeadingWhite | NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture, out value);
}

/// <summary>An option for a whole number or the word Auto (−1), with which the driver finds the value itself.</summary>
internal sealed class AutoOption : NumberOption
{
    private const int Auto = -1;
    private const string Word = "Auto";

    private readonly string _numbers;

    public AutoOption(string name, string[] aliases, int maximum, string unit, string doc)
        : base(name, aliases, TypeCode.Int32, Auto, Auto, maximum, unit, doc) => _numbers = $"0 to {Format(maximum)}";

    public override string Allowed => $"{Word}, or a whole number of {Unit} from {_numbers}";

    public override string AllowedInShort => $"{Word}, {_numbers} {Unit}";

    private protected override string Format(long value) => value == Auto ? Word : base.Format(value);

    private protected override bool TryParse(string text, out long value)
    {
        value = Auto;
        return text.AsSpan().Trim().Equals(Word, StringComparison.OrdinalIgnoreCase) || base.TryParse(text, out value);
    }
}

/// <summary>An option for one word of a list. Several words may have the same value; the first of them is printed.</summary>
/// <remarks>The values are boxed once, here. The provider's builder unboxes them.</remarks>
internal sealed class WordOption : Option
{
    private readonly (string Word, Enum Value)[] _words;

    internal WordOption(string name, string[] aliases, Enum defaultValue, (string Word, Enum Value)[] words, string doc)
        : base(name, aliases, doc)
    {
        Default = defaultValue;
        _words = words;
    }

    /// <summary>The value if the option is not set.</summary>
    public Enum Default { get; }

    /// <inheritdoc cref="TextOption.Refuses"/>
    public Func<Enum, string?>? Refuses { get; init; }

    /// <inheritdoc/>
    public override string DefaultText => Format(Default);

    /// <inheritdoc/>
    public override string Allowed => "one of " + AllowedInShort;

    /// <inheritdoc/>
    public override string AllowedInShort => string.Join(", ", Array.ConvertAll(_words, static word => word.Word));

    /// <summary>Parses a text that <see cref="Option.Canonical"/> returned or a person wrote.</summary>
    public Enum Parse(string text)
    {
        foreach (var (word, meaning) in _words)
        {
            if (word == text)
                return meaning;
        }

        var normalized = OptionTable.Normalize(text);
        foreach (var (word, meaning) in _words)
        {
            if (OptionTable.Normalize(word) == normalized)
                return meaning;
        }

        throw NotAllowed(text);
    }

    /// <summary>The word of a value.</summary>
    public string Format(Enum value)
    {
        foreach (var (word, meaning) in _words)
        {
            if (meaning.Equals(value))
                return word;
        }

        throw NotAllowed(value);
    }

    /// <inheritdoc/>
    public override string Canonical(object value) =>
        Format(value.GetType() == Default.GetType() ? (Enum)value : Parse(Convert.ToString(value, CultureInfo.InvariantCulture) ?? ""));

    /// <inheritdoc/>
    public override object ValueOf(string canonical) => Parse(canonical);

    /// <inheritdoc/>
    public override string? Refusal(string canonical) => Refuses?.Invoke(Parse(canonical));
}
