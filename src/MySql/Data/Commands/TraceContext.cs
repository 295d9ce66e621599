using System.Diagnostics;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>
/// Sends the span of a command as the query attribute <c>traceparent</c> (W3C Trace Context). MySQL's telemetry component uses it as the parent of its own
/// spans.
/// </summary>
internal static class TraceContext
{
    public const string AttributeName = "traceparent";

    /// <summary>
    /// Returns a command's attributes plus the span's. Returns only the command's own attributes if the option is off, there is no span, or the command has a
    /// <c>traceparent</c> itself.
    /// </summary>
    public static MySqlAttributeCollection? Add(MySqlSession session, MySqlAttributeCollection? own)
    {
        if (!session.SendsTraceContext || session.Wire.Out.Dialect != Query.WithAttributes)
            return own;
        // The command's own span if a listener collects those, otherwise the surrounding one. Its id in W3C format is the header.
        if ((session.Activity ?? Activity.Current) is not { IdFormat: ActivityIdFormat.W3C, Id: { } id } || own?.Has(AttributeName) == true)
            return own;
        var all = new MySqlAttributeCollection();
        for (var i = 0; i < (own?.Count ?? 0); i++)
            all.Add(own![i]);
        all.SetAttribute(AttributeName, id);
        return all;
    }
}
