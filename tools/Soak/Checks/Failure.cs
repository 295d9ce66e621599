using System.Data.Common;
using System.Globalization;
using System.Text;
using Slipstream.Core.Errors;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Soak.Checks;

/// <summary>What the driver says about a failure, in words that are the same for both providers.</summary>
internal sealed record Failure(Exception Exception, string Code, ErrorKind Kind, bool IsTransient, RetrySafety Safety)
{
    /// <summary>The caller's own token ended it.</summary>
    public bool IsCanceled => Exception is OperationCanceledException;

    /// <summary>Whether it names the size of the command as what may have ended the session.</summary>
    public bool SuspectsSize => Kind == ErrorKind.ConnectionLost && Exception.Message.Contains("max_allowed_packet", StringComparison.Ordinal);

    /// <summary>Whether this is an exception that the driver may throw because of a server or a network.</summary>
    public bool IsDocumented => Exception is DbException or OperationCanceledException;

    /// <summary>For a change that had this failure while it was being made durable.</summary>
    public Outcome Outcome => IsCanceled ? Outcome.Unknown : Safety switch
    {
        RetrySafety.NotSent => Outcome.NotSent,
        RetrySafety.NotApplicable => Outcome.Refused,
        _ => Outcome.Unknown,
    };

    /// <summary>Failures of one sort have the same text: no numbers, one line.</summary>
    public string Sort
    {
        get
        {
            var text = new StringBuilder();
            foreach (var c in Exception.Message.AsSpan(0, Math.Min(Exception.Message.Length, 150)))
            {
                if (!char.IsAsciiDigit(c))
                    text.Append(c is '\r' or '\n' ? ' ' : c);
                else if (text.Length == 0 || text[^1] != '#')
                    text.Append('#');
            }

            return $"{Exception.GetType().Name} {Code} {Kind} {Safety}{(IsTransient ? " transient" : "")}: {text}";
        }
    }

    public static Failure Of(Exception exception) => exception switch
    {
        MySqlException e => new(e, e.Number.ToString(CultureInfo.InvariantCulture), e.Kind, e.IsTransient, e.RetrySafety),
        PgException e => new(e, e.SqlState ?? "-", e.Kind, e.IsTransient, e.RetrySafety),
        DbException e => new(e, e.SqlState ?? "-", ErrorKind.Other, e.IsTransient, RetrySafety.Unknown),
        _ => new(exception, "-", ErrorKind.Other, false, RetrySafety.Unknown),
    };
}
