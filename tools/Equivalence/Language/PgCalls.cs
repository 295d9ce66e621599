using System.Data.Common;
using Slipstream.PostgreSql;

namespace Slipstream.Equivalence.Language;

/// <summary>
/// Calls of PostgreSQL's drivers that ADO.NET does not have, bound at run time, so that they are the same for both: COPY, notifications, large objects and
/// types.
/// </summary>
internal static class PgCalls
{
    /// <summary>Copies rows to the server in the binary format.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="isAsync">Whether the calls are asynchronous.</param>
    /// <param name="sql">The COPY.</param>
    /// <param name="rows">The values, and the type of each; empty: none.</param>
    /// <param name="ending">How the import ends.</param>
    /// <param name="tell">Records an observation.</param>
    public static async Task BinaryImport(
        dynamic connection, bool isAsync, string sql, (object Value, string Type)[][] rows, string ending, Action<string> tell)
    {
        dynamic importer = isAsync ? await connection.BeginBinaryImportAsync(sql) : connection.BeginBinaryImport(sql);
        try
        {
            for (var i = 0; i < rows.Length; i++)
            {
                if (ending == "breaks" && i == rows.Length / 2)
                    throw new InvalidDataException("the rows broke");
                if (ending == "busy" && i == rows.Length / 2)
                    Busy(connection, tell);
                await StartAndWrite(importer, isAsync, rows[i], ending == "short row" && i == rows.Length - 1);
            }

            if (ending == "left")
                return;
            if (ending == "closed")
            {
                await Reopen(connection, isAsync);
                return;
            }

            ulong written = isAsync ? await importer.CompleteAsync() : importer.Complete();
            tell($"{written} rows");
        }
        finally
        {
            if (isAsync)
                await importer.DisposeAsync();
            else
                importer.Dispose();
        }
    }

    private static async Task StartAndWrite(dynamic importer, bool isAsync, (object Value, string Type)[] row, bool isShort)
    {
        if (isAsync)
            await importer.StartRowAsync();
        else
            importer.StartRow();
        foreach (var (value, type) in isShort ? row[..^1] : row)
        {
            if (value is DBNull)
            {
                if (isAsync)
                    await importer.WriteNullAsync();
                else
                    importer.WriteNull();
                continue;
            }

            if (isAsync)
                await (type.Length == 0 ? importer.WriteAsync((dynamic)value) : importer.WriteAsync((dynamic)value, type));
            else if (type.Length == 0)
                importer.Write((dynamic)value);
            else
                importer.Write((dynamic)value, type);
        }
    }

    /// <summary>Copies text to the server; disposing of the writer completes the import.</summary>
    public static async Task TextImport(dynamic connection, bool isAsync, string sql, string[] lines, string ending, Action<string> tell)
    {
        dynamic writer = isAsync ? await connection.BeginTextImportAsync(sql) : connection.BeginTextImport(sql);
        try
        {
            foreach (var line in lines)
            {
                if (isAsync)
                    await writer.WriteAsync(line + "\n");
                else
                    writer.Write(line + "\n");
            }

            if (ending == "busy")
                Busy(connection, tell);
            if (ending == "closed")
                await Reopen(connection, isAsync);
            else if (ending == "cancelled")
                await Cancel(writer, isAsync);
        }
        finally
        {
            if (isAsync)
                await writer.DisposeAsync();
            else
                writer.Dispose();
        }

        tell("written");
    }

    /// <summary>Copies bytes of the binary format to the server; disposing of the stream completes the import.</summary>
    public static async Task RawImport(dynamic connection, bool isAsync, string sql, byte[] bytes, string ending, Action<string> tell)
    {
        Stream stream = isAsync ? await connection.BeginRawBinaryCopyAsync(sql) : connection.BeginRawBinaryCopy(sql);
        try
        {
            for (var at = 0; at < bytes.Length; at += 11)
            {
                var piece = bytes.AsMemory(at, Math.Min(11, bytes.Length - at));
                if (isAsync)
                    await stream.WriteAsync(piece);
                else
                    stream.Write(piece.Span);
            }

            if (ending == "busy")
                Busy(connection, tell);
            if (ending == "closed")
                await Reopen(connection, isAsync);
            else if (ending == "cancelled")
                await Cancel(stream, isAsync);
        }
        finally
        {
            if (isAsync)
                await stream.DisposeAsync();
            else
                stream.Dispose();
        }

        tell("written");
    }

    /// <summary>Copies rows from the server in the binary format.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="isAsync">Whether the calls are asynchronous.</param>
    /// <param name="sql">The COPY.</param>
    /// <param name="words">The word for the type of each column; see <see cref="TypeOf"/>.</param>
    /// <param name="most">The number of rows to read; −1: all.</param>
    /// <param name="ending">How the export ends.</param>
    /// <param name="text">Returns the canonical text of a value.</param>
    /// <param name="tell">Records an observation.</param>
    public static async Task BinaryExport(
        dynamic connection, bool isAsync, string sql, string[] words, int most, string ending, Func<object?, string> text, Action<string> tell)
    {
        dynamic exporter = isAsync ? await connection.BeginBinaryExportAsync(sql) : connection.BeginBinaryExport(sql);
        try
        {
            for (var row = 0; row != most; row++)
            {
                int columns = isAsync ? await exporter.StartRowAsync() : exporter.StartRow();
                if (columns < 0)
                    break;
                var cells = new List<string>();
                for (var i = 0; i < columns; i++)
                    cells.Add(await Exported(exporter, isAsync, i < words.Length ? TypeOf(words[i]) : null, text));
                tell("row " + string.Join(" | ", cells));
            }

            if (ending == "busy")
                Busy(connection, tell);
            if (ending == "closed")
                await Reopen(connection, isAsync);
            else if (ending == "cancelled")
                await Cancel(exporter, isAsync);
        }
        finally
        {
            if (isAsync)
                await exporter.DisposeAsync();
            else
                exporter.Dispose();
        }

        tell("read");
    }

    /// <summary>Returns the .NET type that a word stands for, which is Slipstream's; null: the column is skipped.</summary>
    public static Type? TypeOf(string word) => word switch
    {
        "int" => typeof(int),
        "int?" => typeof(int?),
        "long" => typeof(long),
        "text" => typeof(string),
        "ints" => typeof(int[]),
        "list" => typeof(List<int>),
        "moment" => typeof(DateTime),
        "decimal" => typeof(decimal),
        "mood" => typeof(Mood),
        "range" => typeof(PgRange<int>),
        _ => null,
    };

    private static async Task<string> Exported(dynamic exporter, bool isAsync, Type? type, Func<object?, string> text)
    {
        var isNull = type is not null && (bool)exporter.IsNull;
        if (type is null || isNull)
        {
            if (isAsync)
                await exporter.SkipAsync();
            else
                exporter.Skip();
            return type is null ? "skipped" : "NULL";
        }

        object target = exporter;
        Type read = TypedReading.Of(type, target.GetType());
        if (!isAsync)
            return text(TypedReading.Call(target, "Read", read, [], []));
        dynamic task = TypedReading.Call(target, "ReadAsync", read, [typeof(CancellationToken)], [CancellationToken.None])!;
        return text((object?)await task);
    }

    /// <summary>Copies text from the server.</summary>
    public static async Task TextExport(dynamic connection, bool isAsync, string sql, int most, string ending, Action<string> tell)
    {
        TextReader reader = isAsync ? await connection.BeginTextExportAsync(sql) : connection.BeginTextExport(sql);
        try
        {
            for (var row = 0; row != most; row++)
            {
                var line = isAsync ? await reader.ReadLineAsync() : reader.ReadLine();
                if (line is null)
                    break;
                tell("line " + line);
            }

            if (ending == "busy")
                Busy(connection, tell);
            if (ending == "closed")
                await Reopen(connection, isAsync);
            else if (ending == "cancelled")
                await Cancel(reader, isAsync);
        }
        finally
        {
            if (reader is IAsyncDisposable disposable && isAsync)
                await disposable.DisposeAsync();
            else
                reader.Dispose();
        }

        tell("read");
    }

    /// <summary>Copies bytes of the binary format from the server.</summary>
    public static async Task RawExport(dynamic connection, bool isAsync, string sql, int most, string ending, Func<object?, string> text, Action<string> tell)
    {
        Stream stream = isAsync ? await connection.BeginRawBinaryCopyAsync(sql) : connection.BeginRawBinaryCopy(sql);
        try
        {
            var all = new MemoryStream();
            var piece = new byte[13];
            while (most < 0 || all.Length < most)
            {
                var count = isAsync ? await stream.ReadAsync(piece) : stream.Read(piece, 0, piece.Length);
                if (count == 0)
                    break;
                all.Write(piece, 0, count);
            }

            // How many bytes one call reads is the driver's choice.
            if (most < 0)
                tell(text(all.ToArray()));
            if (ending == "busy")
                Busy(connection, tell);
            if (ending == "closed")
                await Reopen(connection, isAsync);
            else if (ending == "cancelled")
                await Cancel(stream, isAsync);
        }
        finally
        {
            if (isAsync)
                await stream.DisposeAsync();
            else
                stream.Dispose();
        }

        tell("read");
    }

    // The peer's raw streams have no method for it without a wait.
    private static async Task Cancel(dynamic copy, bool isAsync)
    {
        if (isAsync)
            await copy.CancelAsync();
        else
            copy.Cancel();
    }

    private static async Task Reopen(dynamic connection, bool isAsync)
    {
        if (isAsync)
        {
            await connection.CloseAsync();
            await connection.OpenAsync();
        }
        else
        {
            connection.Close();
            connection.Open();
        }
    }

    // Executes a command during a COPY, which the connection refuses.
    private static void Busy(DbConnection connection, Action<string> tell)
    {
        using var command = connection.CreateCommand();
        command.CommandText = "SELECT 1";
        try
        {
            tell($"a command: {command.ExecuteScalar()}");
        }
        catch (Exception exception)
        {
            tell($"a command: {exception.GetType().Name}");
        }
    }

    /// <summary>
    /// Waits for messages for a time, then executes a command twice: by the second answer, every notification that was sent before has arrived.
    /// </summary>
    public static async Task Collect(dynamic connection, bool isAsync, int milliseconds)
    {
        if (milliseconds > 0)
            _ = isAsync ? await connection.WaitAsync(milliseconds) : connection.Wait(milliseconds);
        for (var i = 0; i < 2; i++)
        {
            using DbCommand command = connection.CreateCommand();
            command.CommandText = "SELECT 1";
            _ = isAsync ? await command.ExecuteScalarAsync() : command.ExecuteScalar();
        }
    }

    /// <summary>Waits for a message with a token that is cancelled after a short time.</summary>
    public static async Task WaitCancelled(dynamic connection)
    {
        using var token = new CancellationTokenSource(3);
        await connection.WaitAsync(token.Token);
    }

    /// <summary>Waits until a message arrives, for a long time at most.</summary>
    public static async Task<bool> WaitLong(dynamic connection, bool isAsync) => isAsync ? await connection.WaitAsync(20_000) : connection.Wait(20_000);

    /// <summary>Loads the types of the database again.</summary>
    public static async Task ReloadTypes(dynamic connection, bool isAsync)
    {
        if (isAsync)
            await connection.ReloadTypesAsync();
        else
            connection.ReloadTypes();
    }

    /// <summary>Creates a composite type, loads the types, and reads a value. Returns the .NET type: an array if the driver knows the type.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="isAsync">Whether the calls are asynchronous.</param>
    /// <param name="definition">The statements that create the type.</param>
    /// <param name="query">The query that returns a value of the type.</param>
    /// <param name="reload">Loads the types.</param>
    /// <param name="tell">Records an observation.</param>
    public static async Task<Type> FreshType(
        DbConnection connection, bool isAsync, string definition, string query, Func<DbConnection, bool, Task> reload, Action<string> tell)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = definition;
        _ = isAsync ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery();
        await reload(connection, isAsync);
        command.CommandText = query;
        await using var reader = isAsync ? await command.ExecuteReaderAsync() : command.ExecuteReader();
        var type = reader.GetFieldType(0);
        tell($"a fresh type is {type.Name}");
        return type;
    }

    /// <summary>Uses a large object; its bytes are those of a <see cref="TestStream"/>.</summary>
    public static async Task LargeObject(
        DbConnection connection, bool isAsync, string word, uint oid, int position, int length, Func<object?, string> text, Action<string> tell)
    {
        var manager = new PgLargeObjectManager((PgConnection)connection);
        switch (word)
        {
            case "create":
                tell($"object {(isAsync ? await manager.CreateAsync(oid) : manager.Create(oid))}");
                return;
            case "unlink":
                if (isAsync)
                    await manager.UnlinkAsync(oid);
                else
                    manager.Unlink(oid);
                tell("unlinked");
                return;
        }

        await using var stream = word == "read"
            ? isAsync ? await manager.OpenReadAsync(oid) : manager.OpenRead(oid)
            : isAsync ? await manager.OpenReadWriteAsync(oid) : manager.OpenReadWrite(oid);
        _ = isAsync ? await stream.SeekAsync(position, SeekOrigin.Begin) : stream.Seek(position, SeekOrigin.Begin);
        switch (word)
        {
            case "truncate" when isAsync: await stream.SetLengthAsync(length); break;
            case "truncate": stream.SetLength(length); break;
            case "write":
                using (var source = new TestStream(length, breaks: false))
                {
                    if (isAsync)
                        await source.CopyToAsync(stream);
                    else
                        source.CopyTo(stream, 7000);
                }

                break;
            default:
                var bytes = new byte[length];
                var read = isAsync ? await stream.ReadAtLeastAsync(bytes, length, throwOnEndOfStream: false) : stream.ReadAtLeast(bytes, length, false);
                tell(text(bytes[..read]));
                break;
        }

        tell($"at {stream.Position} of {(isAsync ? await stream.GetLengthAsync() : stream.Length)}");
    }

    /// <summary>Attaches a handler of notifications: channel, payload, and the sender's session.</summary>
    public static void Listen(DbConnection connection, Action<string, string, int> hear)
    {
        var notification = connection.GetType().GetEvent("Notification")!;
        var type = notification.EventHandlerType!;
        EventHandler handler = (_, e) =>
        {
            dynamic heard = e;
            hear(heard.Channel, heard.Payload, heard.PID);
        };
        notification.AddEventHandler(connection, Delegate.CreateDelegate(type, handler.Target, handler.Method));
    }
}
