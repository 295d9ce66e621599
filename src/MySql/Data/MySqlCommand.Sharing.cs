using System.Data;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <content>Which commands of a data source may run on a session that others use at the same time.</content>
public sealed partial class MySqlCommand
{
    /// <inheritdoc/>
    protected override bool IsQuick => _statement!.Sharing.IsQuick;

    /// <inheritdoc/>
    protected override bool CanShare(CommandBehavior behavior)
    {
        const CommandBehavior Harmless = CommandBehavior.SingleResult | CommandBehavior.SingleRow | CommandBehavior.CloseConnection;
        const int MostOfParameters = 16 * 1024;
        if ((behavior & ~Harmless) != 0 || HasAttributes || !Connection!.IsPlain || CommandType != CommandType.Text || !StatementOf().CanShare)
            return false;
        if (Connection.MySqlSource.Settings.AllowUserVariables && UsesVariables())
            return false;
        if (_parameters is not null)
        {
            var length = 0;
            for (var i = 0; i < _parameters.Count && length <= MostOfParameters; i++)
                length += _parameters[i].ShortLength;
            return length <= MostOfParameters;
        }

        return true;
    }

    private bool UsesVariables()
    {
        var scanned = _statement!.Scan(QuotingRules.AllowUserVariables);
        return scanned.MayUseVariables && !ReferenceEquals(WithoutVariables(scanned), scanned);
    }

    /// <inheritdoc/>
    protected override void Ran(bool wasShared, long microseconds, long bytes, bool failed) => _statement!.Sharing.Ran(wasShared, microseconds, bytes, failed);
}
