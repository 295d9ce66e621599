namespace Slipstream.PostgreSql.Conversations;

/// <summary>Who takes the first row of the first result: a command with parameters for output.</summary>
internal interface IOutputs
{
    void Take(PgRow row);
}
