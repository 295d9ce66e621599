using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql;

/// <summary>Translates the kinds of the protocol.</summary>
internal static class StatementTypes
{
    public static StatementType Of(CommandKind kind) => kind switch
    {
        CommandKind.None => StatementType.Unknown,
        CommandKind.Select => StatementType.Select,
        CommandKind.Insert => StatementType.Insert,
        CommandKind.Update => StatementType.Update,
        CommandKind.Delete => StatementType.Delete,
        CommandKind.Merge => StatementType.Merge,
        CommandKind.Copy => StatementType.Copy,
        CommandKind.Fetch => StatementType.Fetch,
        CommandKind.Move => StatementType.Move,
        CommandKind.Call => StatementType.Call,
        _ => StatementType.Other,
    };
}
