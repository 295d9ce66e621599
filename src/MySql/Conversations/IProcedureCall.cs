using Slipstream.Core.Errors;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Conversations;

/// <summary>What a <see cref="ProcedureExchange"/> calls, and where the values go.</summary>
internal interface IProcedureCall
{
    /// <summary>Returns true if the call cannot be written before the server has described the parameters.</summary>
    bool MustAsk(SessionContext session);

    /// <summary>Appends the question and begins its answer.</summary>
    void EncodeQuestion(SessionContext session);

    /// <summary>Takes one parameter, as <see cref="Statements.StoredPrograms.Columns"/> describes it.</summary>
    void TakeDeclaration(MySqlRow row);

    /// <summary>Notes that all parameters have been described. True if there is something to call; false if the server would refuse the call again.</summary>
    bool Declared(SessionContext session);

    /// <summary>Gets the refusal that led to the question; null if there was none.</summary>
    ServerError? Refusal { get; }

    /// <summary>Appends the call and begins its answer.</summary>
    void EncodeCall(SessionContext session);

    /// <summary>Returns true if a refusal shows that the declaration has changed, and the question has not been asked because of a refusal.</summary>
    bool IsDeclarationOutdated(ServerError error);

    /// <summary>Returns true if a result set can be that of the output parameters.</summary>
    bool MayBeOutputs(ResultMetadata metadata);

    /// <summary>Gets whether the output parameters are selected under a name of ours: no flag is needed to find them.</summary>
    bool OutputsAreSelected { get; }

    /// <summary>Takes the only row of the output parameters.</summary>
    void TakeOutputs(MySqlRow row);

    /// <summary>Takes the value that a function returns. The caller also gets the row.</summary>
    void TakeReturned(MySqlRow row);

    /// <summary>Notes that the call has ended.</summary>
    void Complete(ServerError? error);
}
