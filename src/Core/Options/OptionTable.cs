namespace Slipstream.Core.Options;

/// <summary>All options of one provider, found by keyword.</summary>
internal sealed class OptionTable
{
    // With more mistakes than a third of its letters, a keyword is not misspelt but another word: a suggestion would mislead.
    private const int LettersPerMistake = 3;

    private readonly Dictionary<string, Option> _byKeyword = [];
    private readonly List<OptionGroup> _groups = [];
    private readonly List<Option> _options = [];

    /// <summary>Example of a connection string, for messages.</summary>
    public string Example { get; init; } = "";

    /// <summary>The options in the order of their declaration, which is also the order in the documentation and in canonical connection strings.</summary>
    public IReadOnlyList<Option> Options => _options;

    /// <summary>The groups, in the order of the documentation.</summary>
    public IReadOnlyList<OptionGroup> Groups => _groups;

    /// <summary>Adds a group, in which options are then declared.</summary>
    public OptionGroup Group(string title)
    {
        var group = new OptionGroup(this, title);
        _groups.Add(group);
        return group;
    }

    /// <summary>Finds an option by its keyword or one of its aliases, ignoring case, spaces, hyphens and underscores.</summary>
    public bool TryFind(string keyword, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out Option? option) =>
        _byKeyword.TryGetValue(Normalize(keyword), out option);

    /// <summary>Finds an option by its keyword or one of its aliases.</summary>
    /// <exception cref="ArgumentException">The option does not exist. The message suggests the nearest keyword.</exception>
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

    /// <summary>Refuses a URL, which drivers of other languages accept. A URL may contain a password, so the message repeats nothing of it.</summary>
    /// <exception cref="ArgumentException">The text is a URL.</exception>
    internal void RefuseUrl(string connectionString)
    {
        var scheme = connectionString.AsSpan().TrimStart();
        var end = scheme.IndexOf("://", StringComparison.Ordinal);
        if (end > 0 && !scheme[..end].ContainsAny("=;\"'"))
            throw new ArgumentException($"This is a URL, not a connection string: write keywords and their values, as in \"{Example}\".");
    }

    /// <summary>The nearest keyword to a misspelt one; null if none is near.</summary>
    public string? Nearest(string keyword)
    {
        var wanted = Normalize(keyword);
        string? nearest = null;
        var fewest = wanted.Length / LettersPerMistake + 1;
        foreach (var option in _options)
        {
            foreach (var known in (IEnumerable<string>)[option.Name, .. option.Aliases])
            {
                // A difference in length is a lower bound of the number of mistakes.
                var normalized = Normalize(known);
                if (Math.Abs(normalized.Length - wanted.Length) >= fewest)
                    continue;
                var mistakes = Mistakes(wanted, normalized);
                if (mistakes < fewest)
                    (nearest, fewest) = (known, mistakes);
            }
        }

        return nearest;
    }

    internal void Add(Option option)
    {
        _options.Add(option);
        // An alias may have the same normalized form as the option's name. Two options with the same keyword are a mistake in the table.
        foreach (var keyword in (IEnumerable<string>)[option.Name, .. option.Aliases])
        {
            if (!_byKeyword.TryAdd(Normalize(keyword), option) && _byKeyword[Normalize(keyword)] != option)
                throw new InvalidOperationException($"Two options share the keyword '{keyword}'.");
        }
    }

    /// <summary>The keyword in lower case, without spaces, tabs, hyphens and underscores.</summary>
    internal static string Normalize(string keyword) => string.Create(CountKept(keyword), keyword, static (target, source) =>
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

    // Levenshtein distance in which two swapped neighbours count as one mistake. Only runs before an exception is thrown.
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
