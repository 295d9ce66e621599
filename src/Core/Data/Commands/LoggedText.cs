using System.Data;
using System.Data.Common;
using System.Globalization;
using System.Text;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Errors;
using Slipstream.Core.Statements;

namespace Slipstream.Core.Data;

/// <summary>Formats commands for the log, if the application has enabled that.</summary>
internal static class LoggedText
{
    private const int MaxParameters = 100;

    /// <summary>Appends a command.</summary>
    /// <param name="log">The message.</param>
    /// <param name="summary">Summary of the command. A text that may contain a password is not shown, nor is one without a summary.</param>
    /// <param name="type">The type of the text.</param>
    /// <param name="text">The text.</param>
    /// <param name="parameters">The parameters; null if their values must not be shown.</param>
    public static void Append(StringBuilder log, QuerySummary? summary, CommandType type, string text, DbParameterCollection? parameters)
    {
        if (summary is null or { MayHoldPassword: true })
        {
            log.Append(summary?.Text).Append(summary is { Text.Length: > 0 } ? " " : "").Append("(not shown: it may contain a password)");
            return;
        }

        if (type != CommandType.Text)
            log.Append(type == CommandType.StoredProcedure ? "CALL " : "TABLE ");
        log.Append(text.AsSpan(0, Math.Min(text.Length, CommandLogging.LongestText)));
        if (text.Length > CommandLogging.LongestText)
            log.Append('…');
        if (parameters is { Count: > 0 })
            Append(log, parameters);
    }

    private static void Append(StringBuilder log, DbParameterCollection parameters)
    {
        log.Append(" [");
        for (var i = 0; i < parameters.Count && i < MaxParameters; i++)
        {
            var parameter = parameters[i];
            log.Append(i > 0 ? ", " : "").Append(parameter.ParameterName is { Length: > 0 } name ? name : $"${i + 1}").Append('=');
            if (parameter.Direction is ParameterDirection.Input or ParameterDirection.InputOutput)
                log.Append(ValueOf(parameter.Value));
            else
                log.Append(parameter.Direction.ToString());
        }

        log.Append(parameters.Count > MaxParameters ? ", …]" : "]");
    }

    // Nothing is read that the command must read: a stream can be read only once.
    private static string ValueOf(object? value) => value switch
    {
        null or DBNull => "NULL",
        string text => $"'{ServerText.OneLine(text, CommandLogging.LongestValue)}'",
        byte[] bytes => $"{bytes.Length} bytes",
        ReadOnlyMemory<byte> bytes => $"{bytes.Length} bytes",
        Memory<byte> bytes => $"{bytes.Length} bytes",
        IFormattable number => ServerText.OneLine(number.ToString(null, CultureInfo.InvariantCulture), CommandLogging.LongestValue),
        bool or char => value.ToString()!,
        _ => value.GetType().Name,
    };
}
