using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.EntityFrameworkCore.Storage;

/// <summary>Tells cancellations from failures.</summary>
internal sealed class MySqlExceptionDetector : IExceptionDetector
{
    public bool IsCancellation(Exception exception, CancellationToken cancellationToken = default) =>
        exception is OperationCanceledException
        || (exception is MySqlException { Kind: ErrorKind.Interrupted } && cancellationToken.IsCancellationRequested);
}
