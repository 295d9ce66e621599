namespace Slipstream.MySql.Statements;

/// <summary>
/// SQL words with a number for each, in any case. The words stay in the text that declares them: no substring is allocated, and no generic collection with an
/// alternate lookup is compiled at every start of a program.
/// </summary>
/// <param name="capacity">The minimum number of words.</param>
internal sealed class WordTable(int capacity)
{
    private readonly Entry[] _entries = new Entry[(int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)capacity * 2)];

    /// <summary>Creates a table of words that all have the number 1.</summary>
    /// <param name="words">The words in capitals, separated by spaces and line ends.</param>
    public static WordTable Of(string words)
    {
        var count = 1;
        foreach (var letter in words)
            count += IsBlank(letter) ? 1 : 0;
        return new WordTable(count).Add(words, 1);
    }

    /// <summary>Adds words with their number.</summary>
    /// <param name="words">The words in capitals, separated by spaces and line ends.</param>
    /// <param name="value">The number, greater than 0.</param>
    public WordTable Add(string words, byte value)
    {
        for (var at = 0; at < words.Length; at++)
        {
            var begin = at;
            while (at < words.Length && !IsBlank(words[at]))
                at++;
            if (at == begin)
                continue;
            ref var entry = ref Place(words.AsSpan(begin, at - begin));
            entry.Text = words;
            entry.At = (ushort)begin;
            entry.Length = (byte)(at - begin);
            entry.Value = value;
        }

        return this;
    }

    /// <summary>Returns all words in no particular order.</summary>
    public IEnumerable<string> Words
    {
        get
        {
            foreach (var entry in _entries)
            {
                if (entry.Value != 0)
                    yield return entry.Text.Substring(entry.At, entry.Length);
            }
        }
    }

    public bool Has(ReadOnlySpan<char> word) => Place(word).Value != 0;

    /// <summary>Returns the number of a word, or 0 if the table does not contain it.</summary>
    public byte Find(ReadOnlySpan<char> word) => Place(word).Value;

    // Returns the entry of the word, or the free entry for it. Half of the entries are free.
    private ref Entry Place(ReadOnlySpan<char> word)
    {
        var hash = (uint)word.Length;
        foreach (var letter in word)
            hash = hash * 31 + (uint)(letter & ~0x20);
        var mask = _entries.Length - 1;
        for (var at = (int)(hash ^ (hash >> 15)) & mask; ; at = (at + 1) & mask)
        {
            ref var entry = ref _entries[at];
            if (entry.Value == 0 || (entry.Length == word.Length && word.Equals(entry.Text.AsSpan(entry.At, entry.Length), StringComparison.OrdinalIgnoreCase)))
                return ref entry;
        }
    }

    private static bool IsBlank(char letter) => letter is ' ' or '\r' or '\n';

    private struct Entry
    {
        public string Text;
        public ushort At;
        public byte Length;
        public byte Value;
    }
}
