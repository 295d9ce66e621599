using System.Data;
using System.Data.Common;
using Slipstream.Contract;
using Slipstream.Core.Data;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.Live;

/// <summary>Adapts the providers' bulk copies to the contract.</summary>
internal sealed class LiveBulk<TRow, TResult>(Func<DbConnection, ProviderBulkCopy<TRow, TResult>> create, Func<TResult, long> count)
    : ContractBulk where TRow : struct, IBulkRow
{
    public override async Task<long> Write(Mode mode, DbConnection connection, DataTable table) =>
        count(mode.IsAsync ? await create(connection).WriteToServerAsync(table) : create(connection).WriteToServer(table));

    public override async Task<long> Write(Mode mode, DbConnection connection, IDataReader reader) =>
        count(mode.IsAsync ? await create(connection).WriteToServerAsync(reader) : create(connection).WriteToServer(reader));

    public override async Task<long> Write<T>(
        Mode mode, DbConnection connection, IEnumerable<T> items, Action<IContractRow, T> write, CancellationToken token = default) =>
        count(
            mode.IsAsync
                ? await create(connection).WriteToServerAsync(items, (row, item) => write(new Row(row), item), token)
                : create(connection).WriteToServer(items, (row, item) => write(new Row(row), item)));

    public override async Task<long> Write<T>(
        DbConnection connection, IAsyncEnumerable<T> items, Action<IContractRow, T> write, CancellationToken token = default) =>
        count(await create(connection).WriteToServerAsync(items, (row, item) => write(new Row(row), item), token));

    private sealed class Row(TRow row) : IContractRow
    {
        public void Write<T>(T value) => row.Write(value);

        public void WriteNull() => row.WriteNull();
    }
}

internal static class LiveBulk
{
    public static ContractBulk MySql(BulkRequest request, MySqlBulkCopyMethod wire = MySqlBulkCopyMethod.Auto) =>
        new LiveBulk<MySqlBulkRow, MySqlBulkCopyResult>(
            connection =>
            {
                var bulk = new MySqlBulkCopy((MySqlConnection)connection, (MySqlTransaction?)request.Transaction)
                {
                    DestinationTableName = request.Table,
                    BulkCopyTimeout = request.Timeout,
                    NotifyAfter = request.NotifyAfter,
                    Method = wire,
                };
                bulk.ColumnMappings.AddRange(request.Mappings.Select(static mapping => new MySqlBulkCopyColumnMapping(mapping.Source, mapping.Column)));
                bulk.MySqlRowsCopied += (_, e) => e.Abort = !request.Copied(e.RowsCopied);
                return bulk;
            },
            static result => result.RowsInserted);

    public static ContractBulk PostgreSql(BulkRequest request) => new LiveBulk<PgBulkRow, PgBulkCopyResult>(
        connection =>
        {
            var bulk = new PgBulkCopy((PgConnection)connection, (PgTransaction?)request.Transaction)
            {
                DestinationTableName = request.Table,
                BulkCopyTimeout = request.Timeout,
                NotifyAfter = request.NotifyAfter,
            };
            bulk.ColumnMappings.AddRange(request.Mappings.Select(static mapping => new PgBulkCopyColumnMapping(mapping.Source, mapping.Column)));
            bulk.RowsCopied += (_, e) => e.Abort = !request.Copied(e.RowsCopied);
            return bulk;
        },
        static result => result.RowsInserted);
}
