using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>One array of 1,000 integers, read as <c>int[]</c>.</summary>
internal sealed class ReadArray(Assignment seat, bool prepare) : WithCommand(seat, "select value from integer_array", prepare, keep: false)
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var command = Take();
            using (var reader = command.ExecuteReader())
            {
                Check.Equal(1, reader.Read() ? 1 : 0);
                Check.Equal(IntegerArray.Length, reader.GetFieldValue<int[]>(0)[^1]);
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
                Check.Equal(IntegerArray.Length, reader.GetFieldValue<int[]>(0)[^1]);
            }

            Return(command);
        }
    }
}

/// <summary>One parameter with an array of 1,000 integers, of which the server returns the last.</summary>
internal sealed class WriteArray(Assignment seat, bool prepare) : WithCommand(seat, "select (@value)[1000]", prepare, keep: false)
{
    private readonly int[] _array = [.. Enumerable.Range(1, IntegerArray.Length)];

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var command = Take();
            Check.Equal(IntegerArray.Length, (int)command.ExecuteScalar()!);
            Return(command);
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var command = Take();
            Check.Equal(IntegerArray.Length, (int)(await command.ExecuteScalarAsync())!);
            Return(command);
        }
    }

    protected override void AddParameters(DbCommand command)
    {
        var parameter = command.CreateParameter();
        (parameter.ParameterName, parameter.Value) = ("@value", _array);
        command.Parameters.Add(parameter);
    }
}

internal static class IntegerArray
{
    public const int Length = 1_000;
}
