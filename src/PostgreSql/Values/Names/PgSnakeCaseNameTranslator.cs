using System.Globalization;
using System.Text;

namespace Slipstream.PostgreSql;

/// <summary>Translates names to lower case with underscores between the words: <c>UserID</c> becomes <c>user_id</c>. It is the default.</summary>
public sealed class PgSnakeCaseNameTranslator : IPgNameTranslator
{
    private readonly CultureInfo _culture;
    private readonly bool _legacyMode;

    /// <summary>Creates a translator.</summary>
    /// <param name="culture">The culture whose rules for lower case apply. Default: the invariant culture.</param>
    public PgSnakeCaseNameTranslator(CultureInfo? culture = null) : this(false, culture)
    {
    }

    /// <summary>Creates a translator.</summary>
    /// <param name="legacyMode">True to begin a word with each upper-case letter, so that <c>UserID</c> becomes <c>user_i_d</c>.</param>
    /// <param name="culture">The culture whose rules for lower case apply. Default: the invariant culture.</param>
    public PgSnakeCaseNameTranslator(bool legacyMode, CultureInfo? culture = null)
    {
        _legacyMode = legacyMode;
        _culture = culture ?? CultureInfo.InvariantCulture;
    }

    private enum Kind
    {
        // The beginning of the name, or after an underscore: no underscore is added.
        Start,
        Lower,
        Upper,
        Digit,
        // After a character that is not part of a name, such as a space or a hyphen: the next word gets an underscore.
        Gap,
    }

    /// <summary>Translates a name.</summary>
    /// <param name="name">The name.</param>
    /// <param name="culture">The culture whose rules for lower case apply. Default: the invariant culture.</param>
    /// <returns>The name in lower case with underscores between the words. Characters other than cased letters, digits and underscores are omitted.</returns>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    public static string ConvertToSnakeCase(string name, CultureInfo? culture = null)
    {
        ArgumentNullException.ThrowIfNull(name);
        culture ??= CultureInfo.InvariantCulture;
        var text = new StringBuilder(name.Length + 8);
        var previous = Kind.Start;
        for (var at = 0; at < name.Length; at++)
        {
            var character = name[at];
            var kind = KindOf(character);
            if (kind == Kind.Gap)
            {
                if (previous != Kind.Start)
                    previous = Kind.Gap;
                continue;
            }

            // "userId" and "IPAddress", but not "Name1A".
            if (previous == Kind.Gap
                || kind == Kind.Upper && (previous == Kind.Lower || previous == Kind.Upper && at + 1 < name.Length && char.IsLower(name[at + 1])))
            {
                text.Append(character == '_' ? "" : "_");
            }

            text.Append(kind == Kind.Upper ? char.ToLower(character, culture) : character);
            previous = kind;
        }

        return text.ToString();
    }

    /// <summary>Translates the name of a .NET type.</summary>
    /// <param name="clrName">The name of the .NET type.</param>
    /// <returns>The name in lower case with underscores between the words.</returns>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    public string TranslateTypeName(string clrName) => TranslateMemberName(clrName);

    /// <summary>Translates the name of a member.</summary>
    /// <param name="clrName">The name of the .NET member.</param>
    /// <returns>The name in lower case with underscores between the words.</returns>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    public string TranslateMemberName(string clrName)
    {
        ArgumentNullException.ThrowIfNull(clrName);
        if (!_legacyMode)
            return ConvertToSnakeCase(clrName, _culture);
        var text = new StringBuilder(clrName.Length + 8);
        foreach (var character in clrName)
        {
            if (char.IsUpper(character) && text.Length > 0)
                text.Append('_');
            text.Append(char.ToLower(character, _culture));
        }

        return text.ToString();
    }

    private static Kind KindOf(char character) => character == '_' ? Kind.Start : char.GetUnicodeCategory(character) switch
    {
        UnicodeCategory.UppercaseLetter or UnicodeCategory.TitlecaseLetter => Kind.Upper,
        UnicodeCategory.LowercaseLetter => Kind.Lower,
        UnicodeCategory.DecimalDigitNumber => Kind.Digit,
        _ => Kind.Gap,
    };
}
