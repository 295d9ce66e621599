using System.Buffers.Text;
using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Responses;

/// <summary>
/// A statement has ended. The tag contains its kind and, for some kinds, a row count at the end: "INSERT 0 3", "UPDATE 7", "SELECT 9", "CREATE TABLE".
/// <code>
/// 'C' | length (int32) | tag\0
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", CommandComplete.
/// </summary>
/// <param name="Kind">The kind of statement, from the tag's first word.</param>
/// <param name="Rows">The row count, or 0 if the tag has none.</param>
/// <param name="DropsPrepared">The session's prepared statements no longer exist.</param>
/// <param name="MayMoveNames">In this session, a name may now refer to another table or function than before.</param>
/// <param name="Prepares">The application has prepared a statement of its own, which lasts as long as the session.</param>
/// <param name="RollsBack">The transaction ended without a commit, or returned to a savepoint.</param>
/// <param name="EndsTransaction">The transaction was committed; another may have begun.</param>
/// <param name="FreesNames">A name now refers to nothing, or to an object that was hidden. If the statement is rolled back, it refers to the first object
/// again.</param>
/// <param name="Oid">The object id of the row that an INSERT inserted; 0 from servers since version 12.</param>
internal readonly record struct CommandComplete(
    CommandKind Kind, long Rows, bool DropsPrepared = false, bool MayMoveNames = false, bool Prepares = false, bool RollsBack = false,
    bool EndsTransaction = false, bool FreesNames = false, uint Oid = 0)
{
    /// <summary>Gets the number of changed rows, as ADO.NET counts them: −1 for statements that never change rows, such as SELECT.</summary>
    public long RecordsAffected => CountsChanges(Kind) ? Rows : -1;

    /// <summary>Returns true if the row count of this kind of statement is a number of changed rows.</summary>
    public static bool CountsChanges(CommandKind kind) =>
        kind is CommandKind.Insert or CommandKind.Update or CommandKind.Delete or CommandKind.Merge or CommandKind.Copy or CommandKind.Move;

    /// <summary>Reads the body. The reader fails if it is truncated or the count is not a number.</summary>
    public static CommandComplete Read(ref ByteReader reader)
    {
        var tag = reader.BytesToZero();
        var kind = KindOf(tag);
        if (kind is CommandKind.Other or CommandKind.Call)
        {
            return new(
                kind, 0, tag.SequenceEqual("DISCARD ALL"u8) || tag.SequenceEqual("DEALLOCATE ALL"u8), kind == CommandKind.Call || Moves(tag),
                tag.SequenceEqual("PREPARE"u8), tag.SequenceEqual("ROLLBACK"u8) || tag.SequenceEqual("PREPARE TRANSACTION"u8), tag.SequenceEqual("COMMIT"u8),
                tag.StartsWith("DROP "u8) || tag.SequenceEqual("DISCARD TEMP"u8));
        }

        var count = tag[(tag.LastIndexOf((byte)' ') + 1)..];
        if (!Utf8Parser.TryParse(count, out long rows, out var used) || used != count.Length || rows < 0)
            reader.Fail();
        return new(kind, rows, Oid: kind == CommandKind.Insert ? OidOf(tag) : 0);
    }

    // "INSERT oid rows". Servers since version 12 send 0.
    private static uint OidOf(ReadOnlySpan<byte> tag) =>
        Utf8Parser.TryParse(tag["INSERT ".Length..], out uint oid, out var used) && tag[("INSERT ".Length + used)..] is [(byte)' ', ..] ? oid : 0;

    // Returns true for statements that create or rename something, for the commit of such statements, and for DO, whose code may contain them. (EXECUTE has the
    // tag of the statement that it executes.)
    private static bool Moves(ReadOnlySpan<byte> tag) =>
        tag.StartsWith("CREATE "u8) || tag.StartsWith("ALTER "u8) || tag.StartsWith("IMPORT "u8) || tag.SequenceEqual("DO"u8)
        || tag.SequenceEqual("COMMIT PREPARED"u8);

    private static CommandKind KindOf(ReadOnlySpan<byte> tag) =>
        tag.StartsWith("SELECT "u8) ? CommandKind.Select
        : tag.StartsWith("INSERT "u8) ? CommandKind.Insert
        : tag.StartsWith("UPDATE "u8) ? CommandKind.Update
        : tag.StartsWith("DELETE "u8) ? CommandKind.Delete
        : tag.StartsWith("MERGE "u8) ? CommandKind.Merge
        : tag.StartsWith("COPY "u8) ? CommandKind.Copy
        : tag.StartsWith("FETCH "u8) ? CommandKind.Fetch
        : tag.StartsWith("MOVE "u8) ? CommandKind.Move
        : tag.SequenceEqual("CALL"u8) ? CommandKind.Call
        : CommandKind.Other;
}

/// <summary>The kinds of statement that have a row count in their tag, CALL, and all others.</summary>
internal enum CommandKind : byte
{
    Other,
    Select,
    Insert,
    Update,
    Delete,
    Merge,
    Copy,
    Fetch,
    Move,
    Call,

    /// <summary>There was no statement: the text is empty.</summary>
    None,
}
