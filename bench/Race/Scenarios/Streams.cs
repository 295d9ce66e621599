using System.Data;
using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>
/// Reads four values of 256 MiB to their ends through <see cref="DbDataReader.GetStream"/>, 64 KiB at a time. Its memory figure is the maximum in use.
/// </summary>
internal sealed class Stream1GiB(Assignment seat) : Connected(seat)
{
    // Memory is read once per MiB, because a reading costs some hundred nanoseconds.
    private const int LookEvery = 1 << 20;

    private readonly string _text = Statements.Streamed(seat.Dialect);
    private readonly byte[] _buffer = new byte[64 * 1024];
    private long _before;

    public override Task BeforeAsync(Mode mode, int count)
    {
        _before = GC.GetTotalMemory(forceFullCollection: true);
        HighestMemory = 0;
        return Task.CompletedTask;
    }

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            long found = 0;
            using var command = NewCommand();
            using var reader = command.ExecuteReader(CommandBehavior.SequentialAccess);
            while (reader.Read())
            {
                using var stream = reader.GetStream(0);
                for (int read; (read = stream.Read(_buffer)) > 0; found += read)
                    Look(found, read);
            }

            Check.Equal((long)Statements.StreamedRows * Statements.StreamedLength, found);
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            long found = 0;
            await using var command = NewCommand();
            await using var reader = await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess);
            while (await reader.ReadAsync())
            {
                await using var stream = reader.GetStream(0);
                for (int read; (read = await stream.ReadAsync(_buffer)) > 0; found += read)
                    Look(found, read);
            }

            Check.Equal((long)Statements.StreamedRows * Statements.StreamedLength, found);
        }
    }

    private void Look(long found, int read)
    {
        if (found / LookEvery != (found + read) / LookEvery)
            HighestMemory = Math.Max(HighestMemory ?? 0, GC.GetTotalMemory(forceFullCollection: false) - _before);
    }

    private DbCommand NewCommand()
    {
        var command = Connection.CreateCommand();
        command.CommandText = _text;
        return command;
    }
}
