using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Numerics;

namespace Slipstream.Core.Options;

/// <summary>Any text. A NUL is refused: it would end the text early on the wire and let the rest be read as something else.</summary>
internal sealed class TextOption(string name, string[] aliases, string defaultValue, string doc) : Option<string>(name, aliases, defaultValue, doc)
{
    public override string Allowed => "text without a NUL character";

    public override string AllowedInShort => "text";

    public override string Format(string value) => value;

    private protected override bool TryParse(string text, [MaybeNullWhen(false)] out string value)
    {
        value = text;
        return IsInRange(text);
    }

    private protected override bool IsInRange(string value) => !value.Contains('\0');
}

/// <summary>true or false, in the spellings people use.</summary>
internal sealed class SwitchOption(string name, string[] aliases, bool defaultValue, string doc) : Option<bool>(name, aliases, defaultValue, doc)
{
    public override string Allowed => "true or false (also yes, no, on, off, 1, 0)";

    public override string AllowedInShort => "True, False";

    public override string Format(bool value) => value ? "True" : "False";

    private protected override bool TryParse(string text, out bool value)
    {
        text = text.Trim();
        value = Is(text, "true") || Is(text, "yes") || Is(text, "on") || text == "1";
        return value || Is(text, "false") || Is(text, "no") || Is(text, "off") || text == "0";

        static bool Is(string text, string word) => text.Equals(word, StringComparison.OrdinalIgnoreCase);
    }
}

/// <summary>A whole number between two bounds.</summary>
internal sealed class NumberOption<T>(string name, string[] aliases, T defaultValue, T minimum, T maximum, string unit, string doc)
    : Option<T>(name, aliases, defaultValue, doc) where T : struct, IBinaryInteger<T>
{
    public override string Allowed => $"a whole number{(unit.Length > 0 ? " of " + unit : "")} from {Format(minimum)} to {Format(maximum)}";

    public override string AllowedInShort => $"{Format(minimum)} to {Format(maximum)}{(unit.Length > 0 ? " " + unit : "")}";

    public override string Format(T value) => value.ToString(null, CultureInfo.InvariantCulture);

    private protected override bool TryParse(string text, out T value) =>
        T.TryParse(text, NumberStyles.AllowLeadingSign | NumberStyles.AllowLeadingWhite | NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture, out value) && IsInRange(value);

    private protected override bool IsInRange(T value) => value >= minimum && value <= maximum;
}

/// <summary>A whole number, or the word Auto, which is −1: the driver finds out.</summary>
internal sealed class AutoOption(string name, string[] aliases, int maximum, string unit, string doc) : Option<int>(name, aliases, -1, doc)
{
    private const string Word = "Auto";

    public override string Allowed => $"{Word}, or a whole number of {unit} from 0 to {Format(maximum)}";

    public override string AllowedInShort => $"{Word}, 0 to {Format(maximum)} {unit}";

    public override string Format(int value) => value == -1 ? Word : value.ToString(CultureInfo.InvariantCulture);

    private protected override bool TryParse(string text, out int value)
    {
        value = -1;
        return text.Trim().Equals(Word, StringComparison.OrdinalIgnoreCase)
            || int.TryParse(text, NumberStyles.AllowLeadingSign | NumberStyles.AllowLeadingWhite | NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture, out value) && IsInRange(value);
    }

    private protected override bool IsInRange(int value) => value >= -1 && value <= maximum;
}

/// <summary>One word of a list; several words may mean the same value, the first of them is printed.</summary>
internal sealed class WordOption<T>(string name, string[] aliases, T defaultValue, (string Word, T Value)[] words, string doc)
    : Option<T>(name, aliases, defaultValue, doc) where T : struct, Enum
{
    public override string Allowed => "one of " + AllowedInShort;

    public override string AllowedInShort => string.Join(", ", Array.ConvertAll(words, static word => word.Word));

    public override string Format(T value)
    {
        foreach (var (word, meaning) in words)
        {
            if (EqualityComparer<T>.Default.Equals(meaning, value))
                return word;
        }

        throw NotAllowed(value);
    }

    private protected override bool TryParse(string text, out T value)
    {
        foreach (var (word, meaning) in words)
        {
            if (OptionTable.Squeeze(word) == OptionTable.Squeeze(text))
            {
                value = meaning;
                return true;
            }
        }

        value = default;
        return false;
    }
}
