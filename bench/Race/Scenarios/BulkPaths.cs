using System.Buffers.Text;
using System.Data;
using System.Data.Common;
using Slipstream.Race.Contestants;

namespace Slipstream.Race.Scenarios;

/// <summary>
/// One provider's method for inserting many rows at once. ADO.NET's abstract types have none, so each is found by its public names.
/// </summary>
internal abstract class BulkPath
{
    /// <returns>The number of written rows that the provider reports.</returns>
    public abstract long Write(DbConnection connection, DbTransaction transaction, int rows);

    public abstract Task<long> WriteAsync(DbConnection connection, DbTransaction transaction, int rows);

    /// <summary>
    /// Returns the best available method: a bulk copy, binary COPY or a bulk loader; the strict loop if the provider has none that works.
    /// </summary>
    /// <param name="localInfile">True if the client may send files. If not, only Slipstream's bulk copy works.</param>
    public static BulkPath Best(DbConnection connection, bool localInfile)
    {
        var assembly = connection.GetType().Assembly;
        if (assembly.GetExportedTypes().FirstOrDefault(type => type.Name is "MySqlBulkCopy" or "PgBulkCopy") is { } copy
            && (localInfile || assembly.GetName().Name!.StartsWith(Contestant.SlipstreamName, StringComparison.Ordinal)))
            return new BulkCopy(copy);
        if (connection.GetType().GetMethod("BeginBinaryImport", [typeof(string)]) is not null)
            return new BinaryImport();
        if (localInfile && assembly.GetExportedTypes().FirstOrDefault(type => type.Name == "MySqlBulkLoader") is { } loader && Loader.CanUse(loader))
            return new Loader(loader);
        if (assembly.GetName().Name!.StartsWith(Contestant.SlipstreamName, StringComparison.Ordinal))
            throw new NotSupportedException("this build has no bulk copy");
        return new Loop();
    }

    /// <summary>MySqlBulkCopy of MySqlConnector and Slipstream, PgBulkCopy.</summary>
    private sealed class BulkCopy(Type type) : BulkPath
    {
        public override long Write(DbConnection connection, DbTransaction transaction, int rows) =>
            (long)New(connection, transaction).WriteToServer((IDataReader)new IntegerRows(rows)).RowsInserted;

        public override async Task<long> WriteAsync(DbConnection connection, DbTransaction transaction, int rows) =>
            (long)(await New(connection, transaction).WriteToServerAsync((IDataReader)new IntegerRows(rows))).RowsInserted;

        private dynamic New(DbConnection connection, DbTransaction transaction)
        {
            dynamic copy = Activator.CreateInstance(type, connection, transaction)!;
            copy.DestinationTableName = "test";
            return copy;
        }
    }

    /// <summary>Npgsql's binary COPY. The calls per value use delegates on the instance.</summary>
    private sealed class BinaryImport : BulkPath
    {
        private const string Command = "COPY test FROM STDIN (FORMAT BINARY)";

        public override long Write(DbConnection connection, DbTransaction transaction, int rows)
        {
            using IDisposable importer = ((dynamic)connection).BeginBinaryImport(Command);
            var startRow = ProviderMethods.Bind<Action>(importer, "StartRow");
            var write = ProviderMethods.Bind<Action<int>>(importer, "Write", typeof(int));
            for (var value = 0; value < rows * 3; value++)
            {
                if (value % 3 == 0)
                    startRow();
                write(value);
            }

            return (long)((dynamic)importer).Complete();
        }

        public override async Task<long> WriteAsync(DbConnection connection, DbTransaction transaction, int rows)
        {
            await using IAsyncDisposable importer = await ((dynamic)connection).BeginBinaryImportAsync(Command, CancellationToken.None);
            var startRow = ProviderMethods.Bind<Func<CancellationToken, Task>>(importer, "StartRowAsync");
            var write = ProviderMethods.Bind<Func<int, CancellationToken, Task>>(importer, "WriteAsync", typeof(int));
            for (var value = 0; value < rows * 3; value++)
            {
                if (value % 3 == 0)
                    await startRow(CancellationToken.None);
                await write(value, CancellationToken.None);
            }

            return (long)await ((dynamic)importer).CompleteAsync(CancellationToken.None);
        }
    }

    /// <summary>Connector/NET's MySqlBulkLoader over a text in memory. Creating the text is part of the operation.</summary>
    private sealed class Loader(Type type) : BulkPath
    {
        public static bool CanUse(Type type) => type.GetMethod("Load", [typeof(Stream)]) is not null;

        public override long Write(DbConnection connection, DbTransaction transaction, int rows) => New(connection).Load((Stream)Text(rows));

        public override async Task<long> WriteAsync(DbConnection connection, DbTransaction transaction, int rows) =>
            await New(connection).LoadAsync((Stream)Text(rows));

        private dynamic New(DbConnection connection)
        {
            dynamic loader = Activator.CreateInstance(type, connection)!;
            loader.TableName = "test";
            loader.Local = true;
            loader.FieldTerminator = "\t";
            loader.LineTerminator = "\n";
            return loader;
        }

        private static MemoryStream Text(int rows)
        {
            var stream = new MemoryStream(rows * 24);
            Span<byte> digits = stackalloc byte[12];
            for (var value = 0; value < rows * 3; value++)
            {
                Utf8Formatter.TryFormat(value, digits, out var length);
                digits[length] = value % 3 == 2 ? (byte)'\n' : (byte)'\t';
                stream.Write(digits[..(length + 1)]);
            }

            stream.Position = 0;
            return stream;
        }
    }

    /// <summary>The strict loop.</summary>
    private sealed class Loop : BulkPath
    {
        public override long Write(DbConnection connection, DbTransaction transaction, int rows)
        {
            using var command = New(connection, transaction);
            command.Prepare();
            var written = 0L;
            for (var row = 0; row < rows; row += 3)
                written += Set(command, row).ExecuteNonQuery();
            return written;
        }

        public override async Task<long> WriteAsync(DbConnection connection, DbTransaction transaction, int rows)
        {
            await using var command = New(connection, transaction);
            await command.PrepareAsync();
            var written = 0L;
            for (var row = 0; row < rows; row += 3)
                written += await Set(command, row).ExecuteNonQueryAsync();
            return written;
        }

        private static DbCommand New(DbConnection connection, DbTransaction transaction)
        {
            var command = connection.CreateCommand();
            command.Transaction = transaction;
            command.CommandText = Statements.Insert;
            for (var i = 1; i <= 9; i++)
            {
                var parameter = command.CreateParameter();
                parameter.ParameterName = "@p" + i;
                parameter.Value = i;
                command.Parameters.Add(parameter);
            }

            return command;
        }

        private static DbCommand Set(DbCommand command, int row)
        {
            for (var i = 0; i < 9; i++)
                command.Parameters[i].Value = row * 3 + i;
            return command;
        }
    }
}

/// <summary>The insert race by the bulk rule. One operation inserts all rows.</summary>
internal sealed class BulkInsert(Assignment seat, int rows, bool localInfile) : Connected(seat)
{
    private BulkPath? _path;
    private InsertTransaction? _transaction;

    public override async Task BeforeAsync(Mode mode, int count)
    {
        _path ??= BulkPath.Best(Connection, localInfile);
        _transaction ??= new InsertTransaction(Connection);
        await _transaction.BeginAsync(mode);
    }

    public override Task AfterAsync(Mode mode) => _transaction!.EndAsync(mode);

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
            Check.Equal(rows, _path!.Write(Connection, _transaction!.Current!, rows));
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
            Check.Equal(rows, await _path!.WriteAsync(Connection, _transaction!.Current!, rows));
    }
}
