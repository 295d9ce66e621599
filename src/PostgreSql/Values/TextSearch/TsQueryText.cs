using System.Diagnostics.CodeAnalysis;

namespace Slipstream.PostgreSql;

/// <summary>
/// Reads a tsquery in text, with a stack of operators instead of recursion, so that a long or deep query does not need a deep stack.
/// Source: PostgreSQL 18, 8.11.2; src/backend/utils/adt/tsquery.c, makepol.
/// </summary>
internal static class TsQueryText
{
    private const char Bracket = '(';
    private const char Not = '!';
    private const char Phrase = '<';
    private const char And = '&';

    public static bool TryParse(ReadOnlySpan<char> text, [NotNullWhen(true)] out PgTsQuery? query)
    {
        query = null;
        var operands = new Stack<PgTsQuery>();
        var operators = new Stack<(char Operator, short Distance)>();
        var rest = text.Trim();
        if (rest.IsEmpty)
        {
            query = new PgTsQueryEmpty();
            return true;
        }

        for (var needsOperand = true; !rest.IsEmpty; rest = rest.TrimStart())
        {
            var next = rest[0];
            if (needsOperand)
            {
                if (next is Not or Bracket)
                {
                    operators.Push((next, 0));
                    rest = rest[1..];
                    continue;
                }

                if (!TryTakeLexeme(ref rest, out var lexeme))
                    return false;
                operands.Push(lexeme);
                needsOperand = false;
            }
            else if (next == ')')
            {
                while (operators.TryPeek(out var top) && top.Operator != Bracket)
                    Reduce(operators, operands);
                if (!operators.TryPop(out _))
                    return false;
                rest = rest[1..];
            }
            else
            {
                if (!TryTakeOperator(ref rest, out var distance))
                    return false;
                while (operators.TryPeek(out var top) && Priority(top.Operator) >= Priority(next))
                    Reduce(operators, operands);
                operators.Push((next, distance));
                needsOperand = true;
            }
        }

        while (operators.TryPeek(out var last))
        {
            if (last.Operator == Bracket || operands.Count < (last.Operator == Not ? 1 : 2))
                return false;
            Reduce(operators, operands);
        }

        return operands.TryPop(out query) && operands.Count == 0;
    }

    private static int Priority(char @operator) => @operator switch
    {
        Not => 4,
        Phrase => 3,
        And => 2,
        Bracket => 0,
        _ => 1,
    };

    private static void Reduce(Stack<(char Operator, short Distance)> operators, Stack<PgTsQuery> operands)
    {
        var (top, distance) = operators.Pop();
        var right = operands.Pop();
        operands.Push(top switch
        {
            Not => new PgTsQueryNot(right),
            Phrase => new PgTsQueryFollowedBy(operands.Pop(), distance, right),
            And => new PgTsQueryAnd(operands.Pop(), right),
            _ => new PgTsQueryOr(operands.Pop(), right),
        });
    }

    // "&", "|", "<->" or "<2>".
    private static bool TryTakeOperator(ref ReadOnlySpan<char> rest, out short distance)
    {
        distance = 1;
        if (rest[0] is And or '|')
        {
            rest = rest[1..];
            return true;
        }

        var end = rest.IndexOf('>');
        if (rest[0] != Phrase || end < 2)
            return false;
        var digits = rest[1..end];
        rest = rest[(end + 1)..];
        if (digits is ['-'])
            return true;
        var number = 0;
        foreach (var digit in digits)
        {
            if (!char.IsAsciiDigit(digit))
                return false;
            number = number * 10 + (digit - '0');
            if (number > PgTsQueryFollowedBy.MaxDistance)
                return false;
        }

        distance = (short)number;
        return true;
    }

    // "cat", "'fat cat'", "cat:*AB".
    private static bool TryTakeLexeme(ref ReadOnlySpan<char> rest, [NotNullWhen(true)] out PgTsQueryLexeme? lexeme)
    {
        lexeme = null;
        if (!LexemeText.TryTake(ref rest, "!&|()<", out var text))
            return false;
        var weights = PgTsQueryLexeme.Weight.None;
        var isPrefix = false;
        if (rest is [':', ..])
        {
            for (rest = rest[1..]; !rest.IsEmpty; rest = rest[1..])
            {
                if (rest[0] == '*')
                    isPrefix = true;
                else if (char.ToUpperInvariant(rest[0]) is >= 'A' and <= 'D' and var weight)
                    weights |= (PgTsQueryLexeme.Weight)(1 << ('D' - weight));
                else
                    break;
            }
        }

        lexeme = new(text, weights, isPrefix);
        return true;
    }
}
