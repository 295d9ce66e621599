using System.Data.Common;
using System.Globalization;
using System.Text;
using Slipstream.Core.Errors;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Soak.Checks;

/// <summary>The driver's information about a failure, in terms that are the same for both providers.</summary>
internal sealed record Failure(Exception Exception, string Code, ErrorKind Kind, bool IsTransient, RetrySafety Safety)
{
    /// <summary>Gets whether the caller's own token ended the operation.</summary>
    public bool IsCanceled => Exception is OperationCanceledException;

    /// <summary>Gets whether the message names the size of the command as a possible cause of the lost session.</summary>
    public bool SuspectsSize => Kind == ErrorKind.ConnectionLost && Exception.Message.Contains("max_allowed_packet", StringComparison.Ordinal);

    /// <summary>Gets whether the driver may throw this exception because of a server or a network.</summary>
    public bool IsDocumented => Exception is DbException or OperationCanceledException;

    /// <summary>Gets the outcome of a change that failed this way while it was being committed.</summary>
    public Outcome Outcome => IsCanceled ? Outcome.Unknown : Safety switch
    {
        RetrySafety.NotSent => Outcome.NotSent,
        RetrySafety.NotApplicable or RetrySafety.RolledBack => Outcome.Refused,
        _ => Outcome.Unknown,
    };

    /// <summary>Gets the message as one line without numbers, which is the same for all failures of one sort.</summary>
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
