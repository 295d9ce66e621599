using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>1,000 rows of three integers, of which one column is read.</summary>
internal sealed class ManyRows(Assignment seat, bool prepare) : WithCommand(seat, Statements.Many(seat.Dialect), prepare, keep: false)
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var sum = 0L;
            var command = Take();
            using (var reader = command.ExecuteReader())
            {
                do
                {
                    while (reader.Read())
                        sum += reader.GetInt32(1);
                }
                while (reader.NextResult());
            }

            Return(command);
            Check.Equal(Statements.ManyRowsSum, sum);
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var sum = 0L;
            var command = Take();
            await using (var reader = await command.ExecuteReaderAsync())
            {
                do
                {
                    while (await reader.ReadAsync())
                        sum += reader.GetInt32(1);
                }
                while (await reader.NextResultAsync());
            }

            Return(command);
            Check.Equal(Statements.ManyRowsSum, sum);
        }
    }
}

/// <summary>100,000 rows of six types, with every column read by its typed getter.</summary>
internal sealed class Typed100k(Assignment seat, bool prepare) : WithCommand(seat, Statements.Typed, prepare, keep: false)
{
    private long _integers;
    private double _doubles;
    private decimal _decimals;
    private long _ticks;
    private long _characters;

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var rows = 0;
            var command = Take();
            using (var reader = command.ExecuteReader())
            {
                for (; reader.Read(); rows++)
                    Add(reader);
            }

            Return(command);
            Check.Equal(Statements.TypedCount, rows);
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var rows = 0;
            var command = Take();
            await using (var reader = await command.ExecuteReaderAsync())
            {
                for (; await reader.ReadAsync(); rows++)
                    Add(reader);
            }

            Return(command);
            Check.Equal(Statements.TypedCount, rows);
        }
    }

    private void Add(DbDataReader reader)
    {
        _integers += reader.GetInt32(0) + reader.GetInt64(1);
        _doubles += reader.GetDouble(2);
        _decimals += reader.GetDecimal(3);
        _ticks ^= reader.GetDateTime(4).Ticks;
        _characters += reader.GetString(5).Length;
    }
}
