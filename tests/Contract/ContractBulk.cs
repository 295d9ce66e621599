using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

/// <summary>The request for a bulk copy, in the contract's terms.</summary>
public sealed record BulkRequest
{
    /// <summary>The destination.</summary>
    public required string Table { get; init; }

    public IReadOnlyList<(int Source, string Column)> Mappings { get; init; } = [];

    public int Timeout { get; init; }

    public int NotifyAfter { get; init; }

    /// <summary>Receives the number of rows; false ends the copy.</summary>
    public Func<long, bool> Copied { get; init; } = static _ => true;

    /// <summary>The connection's transaction.</summary>
    public DbTransaction? Transaction { get; init; }
}

/// <summary>A row whose values are being written.</summary>
public interface IContractRow
{
    void Write<T>(T value);

    void WriteNull();
}

/// <summary>A provider's bulk copy. Each method returns the number of inserted rows.</summary>
public abstract class ContractBulk
{
    public abstract Task<long> Write(Mode mode, DbConnection connection, DataTable table);

    public abstract Task<long> Write(Mode mode, DbConnection connection, IDataReader reader);

    public abstract Task<long> Write<T>(
        Mode mode, DbConnection connection, IEnumerable<T> items, Action<IContractRow, T> write, CancellationToken token = default);

    public abstract Task<long> Write<T>(DbConnection connection, IAsyncEnumerable<T> items, Action<IContractRow, T> write, CancellationToken token = default);
}
