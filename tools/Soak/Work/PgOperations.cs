using System.Globalization;
using Slipstream.PostgreSql;

namespace Slipstream.Soak.Work;

/// <summary>COPY and notifications, through PostgreSQL's own methods.</summary>
internal static class PgOperations
{
    // A silent connection is checked after 30 seconds, and a lost one is replaced after delays of up to 30 seconds.
    private const double LongestNotification = 90;

    private static long _channels;

    /// <summary>Copies rows to the server. All must be there, or none, and none if the import is left before it is complete.</summary>
    public static ValueTask Import(Worker worker)
    {
        var rows = worker.Random.Next(1, 1500);
        var isLeft = worker.Random.Next(8) == 0;
        return Changes.Record(worker, isLeft ? "unfinished import" : "import", isLeft ? 0 : rows, id => worker.WithConnection(async connection =>
        {
            // As a bulk copy: the statement, the rows, and the end.
            worker.Step("a binary import", 3 * Calls.Command);
            const string Copy = "COPY soak_effect (id, part, data) FROM STDIN (FORMAT binary)";
            var pg = (PgConnection)connection;
            var importer = worker.Verbs.IsAsync ? await pg.BeginBinaryImportAsync(Copy) : pg.BeginBinaryImport(Copy);
            try
            {
                for (var part = 0; part < rows; part++)
                    await WriteRow(worker, importer, id, part);
                if (!isLeft && (worker.Verbs.IsAsync ? await importer.CompleteAsync() : importer.Complete()) is var written && written != (ulong)rows)
                    worker.Wrong($"an import of {rows} rows reported {written}");
            }
            finally
            {
                await worker.Verbs.Close(importer);
                worker.Leave();
            }
        }));
    }

    private static async ValueTask WriteRow(Worker worker, PgBinaryImporter importer, long id, int part)
    {
        if (worker.Verbs.IsAsync)
        {
            await importer.StartRowAsync();
            await importer.WriteAsync(id);
            await importer.WriteAsync(part);
            await importer.WriteNullAsync();
            return;
        }

        importer.StartRow();
        importer.Write(id);
        importer.Write(part);
        importer.WriteNull();
    }

    /// <summary>Copies rows from the server, sometimes not all, and checks each.</summary>
    public static ValueTask Export(Worker worker) => worker.WithConnection(async connection =>
    {
        var (marker, rows) = (worker.Random.NextInt64(), worker.Random.Next(1, 2000));
        var most = worker.Random.Next(4) == 0 ? worker.Random.Next(rows) : rows;
        var sql = string.Create(
            CultureInfo.InvariantCulture,
            $"COPY (SELECT {marker}::bigint, i, concat({marker}::bigint, '-', i) FROM generate_series(1, {rows}) i) TO STDOUT (FORMAT binary)");
        worker.Step("a binary export", 3 * Calls.Command);
        var pg = (PgConnection)connection;
        var exporter = worker.Verbs.IsAsync ? await pg.BeginBinaryExportAsync(sql) : pg.BeginBinaryExport(sql);
        try
        {
            for (var row = 1; row <= most; row++)
            {
                if ((worker.Verbs.IsAsync ? await exporter.StartRowAsync() : exporter.StartRow()) is var columns and not 3)
                {
                    worker.Wrong($"row {row} of an export of {rows} rows has {columns} columns");
                    break;
                }

                var (first, second, third) = (exporter.Read<long>(), exporter.Read<int>(), exporter.Read<string>());
                if (first != marker || second != row || third != string.Create(CultureInfo.InvariantCulture, $"{marker}-{row}"))
                    worker.Wrong($"row {row} of an export for {marker} is {first}, {second}, {third}");
            }

            if (most == rows && (worker.Verbs.IsAsync ? await exporter.StartRowAsync() : exporter.StartRow()) is var end and not -1)
                worker.Wrong($"an export of {rows} rows has another row, of {end} columns");
        }
        finally
        {
            await worker.Verbs.Close(exporter);
            worker.Leave();
        }
    });

    /// <summary>
    /// Listens to a channel of its own, and sends notifications to it: each one that was acknowledged must arrive, or the sequence must report that it may have
    /// missed some.
    /// </summary>
    public static async ValueTask Listen(Worker worker)
    {
        var channel = string.Create(CultureInfo.InvariantCulture, $"soak_{Interlocked.Increment(ref _channels)}");
        worker.Step("the beginning of ListenAsync", worker.OpenSeconds + 2 * Calls.Command);
        var notifications = ((PgDataSource)worker.Source).ListenAsync(channel).GetAsyncEnumerator();
        try
        {
            if (!await notifications.MoveNextAsync() || !notifications.Current.MayHaveMissed)
                worker.Wrong("the first element of ListenAsync does not say that notifications may be missing");
            worker.Leave();
            for (var number = worker.Random.Next(1, 5); number > 0; number--)
            {
                await Notify(worker, channel, number);
                worker.Step("a notification", LongestNotification);
                if (!await notifications.MoveNextAsync())
                    worker.Wrong("ListenAsync has ended");
                worker.Leave();
                // What was sent before the server listened again may be missing, or may arrive.
                if (notifications.Current.MayHaveMissed)
                    return;
                if (notifications.Current.Payload != number.ToString(CultureInfo.InvariantCulture) || notifications.Current.Channel != channel)
                    worker.Wrong($"'{number}' was sent to {channel}, but '{notifications.Current.Payload}' arrived on {notifications.Current.Channel}");
            }
        }
        finally
        {
            worker.Step("the end of ListenAsync", Calls.Command);
            await notifications.DisposeAsync();
            worker.Leave();
        }
    }

    private static ValueTask Notify(Worker worker, string channel, int number) => worker.WithConnection(async connection =>
    {
        await using var command = connection.Ask("SELECT pg_notify(@c, @n)", ("@c", channel), ("@n", number.ToString(CultureInfo.InvariantCulture)));
        await worker.Execute(command);
    });
}
