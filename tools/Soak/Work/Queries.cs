using System.Data.Common;
using System.Globalization;
using System.Text;

namespace Slipstream.Soak.Work;

/// <summary>Queries with a unique marker and a text whose checksum the server computes.</summary>
internal static class Queries
{
    private const string Letters = "abcdefghijklmnopqrstuvwxyz ÄÖÜßé€漢字🚀'\"\\\0\n%_;--";

    public static ValueTask Echo(Worker worker) => worker.WithConnection(async connection =>
    {
        for (var i = worker.Random.Next(1, 4); i > 0; i--)
        {
            var question = new Question(worker);
            await using var command = connection.Ask(worker.Store.Echo, ("@m", question.Marker), ("@t", question.Text));
            await worker.Read(command, reader => question.Check(reader, default));
        }
    });

    public static ValueTask PreparedEcho(Worker worker) => worker.WithConnection(async connection =>
    {
        await using var command = connection.Ask(worker.Store.Echo, ("@m", 0L), ("@t", ""));
        worker.Step("Prepare", Calls.Command);
        await worker.Verbs.Prepare(command);
        for (var i = worker.Random.Next(1, 5); i > 0; i--)
        {
            var question = new Question(worker);
            (command.Parameters[0].Value, command.Parameters[1].Value) = (question.Marker, question.Text);
            await worker.Read(command, reader => question.Check(reader, default));
        }
    });

    /// <summary>Executes a command of the data source, which opens its own connection or shares one.</summary>
    public static async ValueTask Stored(Worker worker)
    {
        var question = new Question(worker);
        var command = worker.Stored;
        command.Parameters.Clear();
        command.Add(("@m", question.Marker), ("@t", question.Text));
        worker.Step("ExecuteReader and Read of the data source", worker.OpenSeconds + Calls.Command);
        var reader = await worker.Verbs.Reader(command, default);
        await worker.Finish(reader, reader => question.Check(reader, default));
    }

    public static ValueTask Rows(Worker worker) => worker.WithConnection(async connection =>
    {
        var count = worker.Random.Next(1, 400);
        // Some stop in the middle; the next query must not receive the remaining rows.
        var wanted = worker.Random.Next(3) == 0 ? worker.Random.Next(count) : count + 1;
        var marker = Question.NewMarker(worker.Random);
        await using var command = connection.Ask(worker.Store.Rows, ("@m", marker), ("@n", count));
        await worker.Read(command, reader => ReadRows(worker, reader, marker, count, wanted, default));
    });

    public static async ValueTask ReadRows(Worker worker, DbDataReader reader, long marker, int count, int wanted, CancellationToken ct)
    {
        var rows = 0;
        while (rows < wanted && await worker.Verbs.Read(reader, ct))
        {
            rows++;
            var (gotMarker, number, sum) = (
                Convert.ToInt64(reader.GetValue(0), CultureInfo.InvariantCulture), Convert.ToInt32(reader.GetValue(1), CultureInfo.InvariantCulture),
                reader.GetString(2));
            if (gotMarker != marker
                || number != rows
                || sum != worker.Store.Checksum(Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{marker}-{rows}"))))
                worker.Wrong($"row {rows} of question {marker} is ({gotMarker}, {number}, {sum})");
        }

        if (rows != Math.Min(wanted, count))
            worker.Wrong($"question {marker} had {rows} rows instead of {Math.Min(wanted, count)}");
    }

    /// <summary>Checks that a statement sees whole transfers only, whatever is being committed.</summary>
    public static ValueTask Sum(Worker worker) => worker.WithConnection(async connection =>
    {
        await using var command = connection.Ask(Store.Sum);
        for (var looks = worker.Store.SeesHalfCommits ? 2 : 1; looks > 0; looks--)
        {
            var sum = 0L;
            await worker.Read(command, async reader =>
            {
                if (await worker.Verbs.Read(reader, default))
                    sum = Convert.ToInt64(reader.GetValue(0), CultureInfo.InvariantCulture);
            });
            if (sum == Store.Total)
                return;
            if (looks == 1)
                worker.Wrong($"the sum is {sum}");
        }
    });

    /// <summary>A query with its expected answer.</summary>
    public sealed class Question(Worker worker)
    {
        public long Marker { get; } = NewMarker(worker.Random);

        public string Text { get; } = NewText(worker.Random, worker.Store is PgStore);

        public static long NewMarker(Random random) => random.NextInt64(1, 1L << 52);

        public async ValueTask Check(DbDataReader reader, CancellationToken ct)
        {
            if (!await worker.Verbs.Read(reader, ct))
            {
                worker.Wrong($"question {Marker} has no answer");
                return;
            }

            var (marker, text, sum) = (reader.GetInt64(0), reader.GetString(1), reader.GetString(2));
            if (marker != Marker || text != Text || sum != worker.Store.Checksum(Encoding.UTF8.GetBytes(Text)))
                worker.Wrong($"question {Marker} was answered with {marker}, a text of {text.Length} instead of {Text.Length} characters, and checksum {sum}");
            if (await worker.Verbs.Read(reader, ct))
                worker.Wrong($"question {Marker} has a second row");
        }

        // PostgreSQL's text cannot contain U+0000.
        private static string NewText(Random random, bool withoutZero)
        {
            var runes = Letters.EnumerateRunes().Where(rune => !withoutZero || rune.Value != 0).ToArray();
            var text = new StringBuilder();
            for (var i = random.Next(8) == 0 ? random.Next(4000) : random.Next(60); i > 0; i--)
                text.Append(runes[random.Next(runes.Length)].ToString());
            return text.ToString();
        }
    }
}
