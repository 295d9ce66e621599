using System.Diagnostics;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>
/// The span of a command as its query attribute <c>traceparent</c> (W3C Trace Context),
/// by which MySQL's telemetry component makes its own spans children of the application's.
/// </summary>
internal static class TraceContext
{
    public const string AttributeName = "traceparent";

    /// <summary>
    /// The attributes of a command with the span's: those of the command when it is not wanted, there is no span, or the command names one itself.
    /// </summary>
    public static MySqlAttributeCollection? Add(MySqlSession session, MySqlAttributeCollection? own)
    {
        if (!session.SendsTraceContext || session.Wire.Out.Dialect != Query.WithAttributes)
            return own;
        // The command's own span where somebody listens to those, else the one around it. Its id in W3C's form is the header.
        if ((session.Activity ?? Activity.Current) is not { IdFormat: ActivityIdFormat.W3C, Id: { } id } || own?.Has(AttributeName) == true)
            return own;
        var all = new MySqlAttributeCollection();
        for (var i = 0; i < (own?.Count ?? 0); i++)
            all.Add(own![i]);
        all.SetAttribute(AttributeName, id);
        return all;
    }
}
