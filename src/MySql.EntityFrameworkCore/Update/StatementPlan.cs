using Microsoft.EntityFrameworkCore.Update;

namespace Slipstream.MySql.EntityFrameworkCore.Update;

/// <summary>What one statement of a batch does, in the order of the text.</summary>
internal sealed class StatementPlan(StatementKind kind)
{
    public StatementKind Kind => kind;

    /// <summary>The commands whose rows the statement changes or reads: one, or those of an INSERT of several rows.</summary>
    public List<IReadOnlyModificationCommand> Commands { get; } = [];

    /// <summary>Whether all that can fail is the statement itself: its results are counts, or keys that are plain numbers.</summary>
    public bool CannotFail => kind switch
    {
        StatementKind.Control or StatementKind.Increment => true,
        StatementKind.Insert => Generated is null || IsNumber(Generated),
        StatementKind.InsertReturning =>
            Commands.TrueForAll(static command => command.ColumnModifications.All(static column => !column.IsRead || IsNumber(column))),
        _ => false,
    };

    /// <summary>The column that AUTO_INCREMENT fills, if its values come from the statement's result.</summary>
    public IColumnModification? Generated { get; init; }

    /// <summary>The call, if the statement belongs to one.</summary>
    public ProcedureCall? Call { get; init; }

    private static bool IsNumber(IColumnModification column) =>
        column.TypeMapping is { Converter: null, ClrType: var type } && Type.GetTypeCode(type) is >= TypeCode.SByte and <= TypeCode.UInt64;
}

/// <summary>The kinds of statements.</summary>
internal enum StatementKind
{
    /// <summary>SAVEPOINT, START TRANSACTION, COMMIT or SET. The provider ignores its result.</summary>
    Control,

    /// <summary>INSERT. Its result counts rows, and has the first generated key.</summary>
    Insert,

    /// <summary>INSERT … RETURNING: a row for each row.</summary>
    InsertReturning,

    /// <summary>UPDATE or DELETE. Its result counts the rows that were found.</summary>
    Change,

    /// <summary>SELECT of what the server made, for the command before.</summary>
    ReadBack,

    /// <summary>SELECT of the distance between generated keys.</summary>
    Increment,

    /// <summary>CALL: any number of result sets, and a result without rows.</summary>
    Call,

    /// <summary>SELECT of the user variables that are the output arguments of the preceding call.</summary>
    CallOutputs,
}
