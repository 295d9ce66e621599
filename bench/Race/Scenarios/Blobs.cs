using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>Three rows with null, 75,000 and 150,000 bytes, either skipped or read as arrays.</summary>
internal sealed class ReadBlobs(Assignment seat, bool prepare, bool fetch) : WithCommand(seat, Statements.Blobs(seat.Dialect), prepare, keep: false)
{
    private readonly long _expected = fetch ? 225_000 : 3;

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var found = 0L;
            var command = Take();
            using (var reader = command.ExecuteReader())
            {
                do
                {
                    while (reader.Read())
                        found += Found(reader);
                }
                while (reader.NextResult());
            }

            Return(command);
            Check.Equal(_expected, found);
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var found = 0L;
            var command = Take();
            await using (var reader = await command.ExecuteReaderAsync())
            {
                do
                {
                    while (await reader.ReadAsync())
                        found += Found(reader);
                }
                while (await reader.NextResultAsync());
            }

            Return(command);
            Check.Equal(_expected, found);
        }
    }

    private long Found(DbDataReader reader)
    {
        if (!fetch)
            return 1;
        return reader.IsDBNull(0) ? 0 : reader.GetFieldValue<byte[]>(0).Length;
    }
}

/// <summary>One value of 20 MiB, more than a MySQL packet can contain, read as an array.</summary>
internal sealed class ReadLargeBlob(Assignment seat, bool prepare) : WithCommand(seat, Statements.LargeBlob, prepare, keep: false)
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var command = Take();
            using (var reader = command.ExecuteReader())
            {
                Check.Equal(1, reader.Read() ? 1 : 0);
                Check.Equal(Statements.LargeBlobLength, reader.GetFieldValue<byte[]>(0).Length);
            }

            Return(command);
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var command = Take();
            await using (var reader = await command.ExecuteReaderAsync())
            {
                Check.Equal(1, await reader.ReadAsync() ? 1 : 0);
                Check.Equal(Statements.LargeBlobLength, reader.GetFieldValue<byte[]>(0).Length);
            }

            Return(command);
        }
    }
}
