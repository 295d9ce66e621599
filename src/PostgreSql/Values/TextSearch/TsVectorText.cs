using System.Diagnostics.CodeAnalysis;

namespace Slipstream.PostgreSql;

/// <summary>Reads a tsvector in text. Source: PostgreSQL 18, 8.11.1; src/backend/utils/adt/tsvector_parser.c.</summary>
internal static class TsVectorText
{
    public static bool TryParse(ReadOnlySpan<char> text, [NotNullWhen(true)] out PgTsVector? vector)
    {
        vector = null;
        var lexemes = new List<PgTsVector.Lexeme>();
        for (var rest = text.TrimStart(); !rest.IsEmpty; rest = rest.TrimStart())
        {
            if (!LexemeText.TryTake(ref rest, [], out var lexeme))
                return false;
            List<PgTsVector.Lexeme.WordEntryPos>? positions = null;
            if (rest is [':', ..])
            {
                positions = [];
                do
                {
                    rest = rest[1..];
                    if (!TryTakePosition(ref rest, out var position))
                        return false;
                    positions.Add(position);
                }
                while (rest is [',', ..]);
                if (!rest.IsEmpty && !char.IsWhiteSpace(rest[0]))
                    return false;
            }

            lexemes.Add(new(lexeme, positions));
        }

        vector = PgTsVector.Of(lexemes);
        return true;
    }

    private static bool TryTakePosition(ref ReadOnlySpan<char> rest, out PgTsVector.Lexeme.WordEntryPos position)
    {
        position = default;
        var number = 0;
        var at = 0;
        for (; at < rest.Length && char.IsAsciiDigit(rest[at]); at++)
            number = Math.Min(number * 10 + (rest[at] - '0'), PgTsVector.Lexeme.MaxPosition);
        if (number == 0)
            return false;
        var weight = (at < rest.Length ? rest[at] : ' ') switch
        {
            'A' or 'a' or '*' => PgTsVector.Lexeme.Weight.A,
            'B' or 'b' => PgTsVector.Lexeme.Weight.B,
            'C' or 'c' => PgTsVector.Lexeme.Weight.C,
            _ => PgTsVector.Lexeme.Weight.D,
        };
        if (weight != PgTsVector.Lexeme.Weight.D || at < rest.Length && rest[at] is 'D' or 'd')
            at++;
        rest = rest[at..];
        position = new(number, weight);
        return true;
    }
}
