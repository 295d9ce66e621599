using System.Runtime.InteropServices;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>Why a statement was written.</summary>
internal enum Purpose : byte
{
    /// <summary>The caller's command contains it.</summary>
    Command,

    /// <summary>Before a repetition it rolls the transaction back or begins it again.</summary>
    BeginAgain,

    /// <summary>It ends a batch of which a part has run and the rest cannot be written.</summary>
    EndOfBatch,
}

/// <summary>A statement that was written and not answered completely.</summary>
/// <param name="Statement">The text to which it belongs.</param>
/// <param name="Command">The command's index in its batch; 0 without a batch.</param>
/// <param name="Purpose">Why it was written.</param>
/// <param name="Part">The statement.</param>
/// <param name="Prepared">The prepared statement in this session; null for the unnamed statement.</param>
/// <param name="Parses">A Parse was written.</param>
/// <param name="Describes">A Describe was written.</param>
/// <param name="Executes">Bind and Execute were written.</param>
/// <param name="Closes">A Close was written before the Parse.</param>
/// <param name="ParameterTypes">The hash of the types of its parameters, with which its result is predicted; 0 if it is not described.</param>
/// <param name="EndsGroup">A Sync was written after it.</param>
internal readonly record struct ExpectedStatement(
    PgStatement Statement, int Command, Purpose Purpose, StatementPart Part, PreparedPart? Prepared,
    bool Parses, bool Describes, bool Executes, bool Closes, ulong ParameterTypes, bool EndsGroup = false);

/// <summary>The statements whose answers an exchange expects, in the order in which they were written.</summary>
internal sealed class ExpectedStatements
{
    private const int MaxKept = 1024;

    private readonly List<ExpectedStatement> _statements = [];
    private PgStatement? _writing;
    private int _writingCommand;
    private int _index;

    /// <summary>A number for what is written: see <see cref="PreparedPart.WrittenIn"/>.</summary>
    public int Number { get; private set; }

    /// <summary>Why the following statements are written.</summary>
    public Purpose Purpose { get; set; }

    /// <summary>How many statements were written since <see cref="Clear"/>.</summary>
    public int Count => _statements.Count;

    /// <summary>The statement whose answer is awaited.</summary>
    public ExpectedStatement Current => _statements[_index];

    /// <summary>Whether all statements only read or change data: without a transaction, they commit together at the Sync, or not at all.</summary>
    public bool AreWhole
    {
        get
        {
            foreach (ref readonly var expected in CollectionsMarshal.AsSpan(_statements))
                if (!expected.Part.IsPlanned)
                    return false;
            return true;
        }
    }

    /// <summary>Whether no statement follows the current one.</summary>
    public bool IsAtLast => _index + 1 >= _statements.Count;

    /// <summary>Whether the server will wait for data after the last statement.</summary>
    public bool EndsWithCopyFromClient => _statements.Count > 0 && _statements[^1] is { Executes: true, Part.CopiesFromClient: true };

    /// <summary>Whether there is one statement, of a kind that neither begins nor ends a transaction and waits for no data: SELECT, INSERT, …</summary>
    public bool IsOnePlanned => _statements is [{ Executes: true, Statement.IsNotPreparable: false }];

    /// <summary>Whether the first statement is a prepared one.</summary>
    public bool BeginsPrepared => _statements.Count > 0 && _statements[0].Prepared is not null;

    /// <summary>Starts a new command or batch, or a repetition of one.</summary>
    public void Start()
    {
        Number++;
        Purpose = Purpose.Command;
        Clear();
    }

    /// <summary>The following statements belong to this command.</summary>
    public void BeginCommand(PgStatement statement, int command)
    {
        _writing = statement;
        _writingCommand = command;
    }

    /// <summary>All messages of a statement have been written.</summary>
    public void Add(StatementPart part, PreparedPart? prepared, bool parses, bool describes, bool executes, bool closes, ulong parameterTypes = 0)
    {
        if (parses)
            prepared?.IsBeingParsed = true;
        prepared?.WrittenIn = Number;
        _statements.Add(new(_writing!, _writingCommand, Purpose, part, prepared, parses, describes, executes, closes, parameterTypes));
    }

    /// <summary>A Sync was written.</summary>
    public void EndGroup() => CollectionsMarshal.AsSpan(_statements)[^1] = _statements[^1] with { EndsGroup = true };

    /// <summary>Goes on to the next statement; false after the last.</summary>
    public bool MoveNext() => ++_index < _statements.Count;

    /// <summary>Goes on to the statement before the next Sync; false if that Sync was not written, in which case it stops at the last statement.</summary>
    public bool MoveToEndOfGroup()
    {
        while (_index < _statements.Count - 1 && !_statements[_index].EndsGroup)
            _index++;
        return _statements[_index].EndsGroup;
    }

    /// <summary>Removes all statements.</summary>
    public void Clear()
    {
        StopParsing(0);
        _statements.Clear();
        _index = 0;
        if (_statements.Capacity > MaxKept)
            _statements.Capacity = MaxKept;
    }

    /// <summary>Removes the statements from this index on: they will not be sent.</summary>
    public void RemoveFrom(int index)
    {
        StopParsing(index);
        _statements.RemoveRange(index, _statements.Count - index);
    }

    private void StopParsing(int from)
    {
        foreach (ref readonly var expected in CollectionsMarshal.AsSpan(_statements)[from..])
            if (expected.Parses)
                expected.Prepared?.IsBeingParsed = false;
    }
}
