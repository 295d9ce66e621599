namespace Slipstream.Core.Options;

/// <summary>All options of one provider: finds them by keyword.</summary>
internal sealed class OptionTable
{
    // Beyond a third of its letters a keyword is not misspelt but another word; a suggestion would send people the wrong way.
    private const int LettersPerMistake = 3;

    private readonly Dictionary<string, Option> _byKeyword = [];
    private readonly List<OptionGroup> _groups = [];
    private readonly List<Option> _options = [];

    /// <summary>A connection string, for messages.</summary>
    public string Example { get; init; } = "";

    /// <summary>In the order they were declared, which is the order of the documentation and of canonical connection strings.</summary>
    public IReadOnlyList<Option> Options => _options;

    /// <summary>The groups, in the order of the documentation.</summary>
    public IReadOnlyList<OptionGroup> Groups => _groups;

    /// <summary>Starts a heading under which options are declared.</summary>
    public OptionGroup Group(string title)
    {
        var group = new OptionGroup(this, title);
        _groups.Add(group);
        return group;
    }

    /// <summary>Finds an option by its keyword or one of its aliases, whatever the case and the blanks.</summary>
    public bool TryFind(string keyword, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out Option? option) =>
        _byKeyword.TryGetValue(Squeeze(keyword), out option);

    /// <exception cref="ArgumentException">There is no such option; the message suggests the nearest one.</exception>
    public Option Find(string keyword)
    {
        ArgumentNullException.ThrowIfNull(keyword);
        if (TryFind(keyword, out var option))
            return option;
        RefuseUrl(keyword);
        var nearest = Nearest(keyword);
        throw new ArgumentException(nearest is null
            ? $"'{keyword}' is not an option of a connection string."
            : $"'{keyword}' is not an option of a connection string. Did you mean '{nearest}'?");
    }

    /// <summary>URLs are what other languages' drivers take. They may hold a password: nothing of them is repeated.</summary>
    /// <exception cref="ArgumentException">The text is one.</exception>
    internal void RefuseUrl(string connectionString)
    {
        var scheme = connectionString.AsSpan().TrimStart();
        var end = scheme.IndexOf("://", StringComparison.Ordinal);
        if (end > 0 && !scheme[..end].ContainsAny("=;\"'"))
            throw new ArgumentException($"This is a URL, not a connection string: write keywords and their values, as in \"{Example}\".");
    }

    /// <summary>The keyword nearest to a misspelt one; null when none is near.</summary>
    public string? Nearest(string keyword)
    {
        var wanted = Squeeze(keyword);
        string? nearest = null;
        var fewest = wanted.Length / LettersPerMistake + 1;
        foreach (var option in _options)
        {
            foreach (var known in (IEnumerable<string>)[option.Name, .. option.Aliases])
            {
                // So many letters more or less are as many mistakes at least.
                var squeezed = Squeeze(known);
                if (Math.Abs(squeezed.Length - wanted.Length) >= fewest)
                    continue;
                var mistakes = Mistakes(wanted, squeezed);
                if (mistakes < fewest)
                    (nearest, fewest) = (known, mistakes);
            }
        }

        return nearest;
    }

    internal void Add(Option option)
    {
        _options.Add(option);
        // An alias may squeeze to the name itself; that two options share a keyword is a mistake in the table.
        foreach (var keyword in (IEnumerable<string>)[option.Name, .. option.Aliases])
        {
            if (!_byKeyword.TryAdd(Squeeze(keyword), option) && _byKeyword[Squeeze(keyword)] != option)
                throw new InvalidOperationException($"Two options share the keyword '{keyword}'.");
        }
    }

    /// <summary>Without what people vary: case, spaces, hyphens and underscores.</summary>
    internal static string Squeeze(string keyword) => string.Create(CountKept(keyword), keyword, static (target, source) =>
    {
        var length = 0;
        foreach (var letter in source)
        {
            if (IsKept(letter))
                target[length++] = char.ToLowerInvariant(letter);
        }
    });

    private static bool IsKept(char letter) => letter is not (' ' or '-' or '_' or '\t');

    private static int CountKept(string keyword)
    {
        var count = 0;
        foreach (var letter in keyword)
            count += IsKept(letter) ? 1 : 0;
        return count;
    }

    // Levenshtein's distance, two swapped neighbours counting as one mistake. Only ever runs on the way to an exception.
    private static int Mistakes(string left, string right)
    {
        var table = new int[left.Length + 1, right.Length + 1];
        for (var l = 0; l <= left.Length; l++)
        {
            for (var r = 0; r <= right.Length; r++)
            {
                if (l == 0 || r == 0)
                {
                    table[l, r] = l + r;
                    continue;
                }

                var changed = table[l - 1, r - 1] + (left[l - 1] == right[r - 1] ? 0 : 1);
                table[l, r] = Math.Min(changed, Math.Min(table[l - 1, r], table[l, r - 1]) + 1);
                if (l > 1 && r > 1 && left[l - 1] == right[r - 2] && left[l - 2] == right[r - 1])
                    table[l, r] = Math.Min(table[l, r], table[l - 2, r - 2] + 1);
            }
        }

        return table[left.Length, right.Length];
    }
}
