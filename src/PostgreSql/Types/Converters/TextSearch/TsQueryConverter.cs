using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Converts tsquery to and from <see cref="PgTsQuery"/> or the type of one of its nodes. An operator comes before its right operand, which comes before its
/// left operand:
/// <code>
/// number of nodes (int32) | for each: 1 | weights (1) | is prefix (1) | text, zero byte
///                                  or 2 | operator (1: 1 not, 2 and, 3 or, 4 phrase) | for a phrase, the distance (int16)
/// </code>
/// In text, "'fat' &amp; ( 'rat' | !'cat':*AB )". Source: src/backend/utils/adt/tsquery.c, tsquerysend.
/// </summary>
internal sealed class TsQueryConverter<
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] T> : PgConverter<T>
    where T : PgTsQuery
{
    public override T Read(ref PgValueReader reader)
    {
        var query = TsQueries.Read(ref reader);
        return query as T ?? throw new InvalidCastException($"The tsquery is a {query.GetType().Name}, not a {typeof(T).Name}: read it as PgTsQuery.");
    }

    public override void Write(ref PgValueWriter writer, T value) => TsQueries.Write(ref writer, value);
}

/// <summary>Reads and writes the nodes of a tsquery.</summary>
internal static class TsQueries
{
    private const byte Value = 1;
    private const byte Operator = 2;
    private const int SmallestNode = 2;

    public static PgTsQuery Read(ref PgValueReader reader)
    {
        if (!reader.IsBinary)
        {
            if (!TsQueryText.TryParse(reader.ReadText(), out var parsed))
                reader.Fail();
            return parsed!;
        }

        var count = reader.ReadInt32();
        if (count < 0 || count > reader.Remaining / SmallestNode)
            reader.Fail();
        var rest = reader.ReadRest();
        var nodes = new Node[count];
        for (var at = 0; at < count; at++)
        {
            if (!TryTake(ref rest, out nodes[at]))
                reader.Fail();
        }

        var query = Tree(nodes);
        if (query is null || !rest.IsEmpty)
            reader.Fail();
        return query!;
    }

    public static void Write(ref PgValueWriter writer, PgTsQuery value)
    {
        // The server's binary input function does not accept a query without nodes.
        if (value is PgTsQueryEmpty)
        {
            throw new ArgumentException("A tsquery without nodes cannot be sent, because the server does not accept it as a parameter: write ''::tsquery in "
                + "SQL.");
        }

        // Without recursion, because a query of many words is a deep tree.
        var nodes = new List<PgTsQuery>();
        var open = new Stack<PgTsQuery>([value]);
        while (open.TryPop(out var node))
        {
            nodes.Add(node);
            if (node is PgTsQueryBinOp binary)
            {
                open.Push(binary.Left);
                open.Push(binary.Right);
            }
            else if (node is PgTsQueryNot not)
            {
                open.Push(not.Child);
            }
        }

        writer.WriteInt32(nodes.Count);
        foreach (var node in nodes)
            WriteNode(ref writer, node);
    }

    private static void WriteNode(ref PgValueWriter writer, PgTsQuery? node)
    {
        if (node is PgTsQueryLexeme lexeme)
        {
            writer.WriteByte(Value);
            writer.WriteByte((byte)lexeme.Weights);
            writer.WriteByte(lexeme.IsPrefixSearch ? (byte)1 : (byte)0);
            ZeroTerminated.Write(ref writer, lexeme.Text);
            return;
        }

        if (node is not (PgTsQueryNot or PgTsQueryAnd or PgTsQueryOr or PgTsQueryFollowedBy))
            throw new ArgumentException("An operand of a tsquery is null or empty: give every operator its operands.");
        writer.WriteByte(Operator);
        writer.WriteByte((byte)node.Kind);
        if (node is PgTsQueryFollowedBy phrase)
            writer.WriteInt16(phrase.Distance);
    }

    // Reads from the end, so that the operands of an operator are complete when it is reached. Null: the nodes are not a tree.
    private static PgTsQuery? Tree(Node[] nodes)
    {
        if (nodes.Length == 0)
            return new PgTsQueryEmpty();
        var operands = new Stack<PgTsQuery>();
        for (var at = nodes.Length - 1; at >= 0; at--)
        {
            var node = nodes[at];
            if (node.Lexeme is not null)
            {
                operands.Push(node.Lexeme);
                continue;
            }

            if (!operands.TryPop(out var right))
                return null;
            if (node.Kind == PgTsQuery.NodeKind.Not)
            {
                operands.Push(new PgTsQueryNot(right));
                continue;
            }

            if (!operands.TryPop(out var left))
                return null;
            operands.Push(node.Kind switch
            {
                PgTsQuery.NodeKind.And => new PgTsQueryAnd(left, right),
                PgTsQuery.NodeKind.Or => new PgTsQueryOr(left, right),
                _ => new PgTsQueryFollowedBy(left, node.Distance, right),
            });
        }

        return operands.Count == 1 ? operands.Pop() : null;
    }

    private static bool TryTake(ref ReadOnlySpan<byte> rest, out Node node)
    {
        node = default;
        switch (rest)
        {
            case [Value, <= 15 and var weights, <= 1 and var isPrefix, ..]:
                rest = rest[3..];
                if (!ZeroTerminated.TryTake(ref rest, out var text))
                    return false;
                node = new(new(text, (PgTsQueryLexeme.Weight)weights, isPrefix == 1), PgTsQuery.NodeKind.Lexeme, 0);
                return true;
            case [Operator, (byte)PgTsQuery.NodeKind.Phrase, _, _, ..]:
                var distance = BinaryPrimitives.ReadInt16BigEndian(rest[2..]);
                rest = rest[4..];
                node = new(null, PgTsQuery.NodeKind.Phrase, distance);
                return distance is >= 0 and <= PgTsQueryFollowedBy.MaxDistance;
            case [Operator, >= (byte)PgTsQuery.NodeKind.Not and < (byte)PgTsQuery.NodeKind.Phrase and var kind, ..]:
                rest = rest[2..];
                node = new(null, (PgTsQuery.NodeKind)kind, 0);
                return true;
            default:
                return false;
        }
    }

    private readonly record struct Node(PgTsQueryLexeme? Lexeme, PgTsQuery.NodeKind Kind, short Distance);
}
