using System.Globalization;
using System.Text.Json;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.ScaleModel.Measuring;

/// <summary>
/// The callers' own process, whose processors can be restricted. It answers each line that it reads with one: <c>open CALLERS POOL</c>,
/// <c>run MILLISECONDS</c> and <c>close</c>.
/// </summary>
internal static class WorkerProgram
{
    public const string Option = "--worker";
    public const string ConnectionVariable = "SCALE_MODEL_CONNECTION";

    /// <param name="isPostgreSql">Whether the server is PostgreSQL.</param>
    public static async Task<int> RunAsync(bool isPostgreSql)
    {
        var connection = Environment.GetEnvironmentVariable(ConnectionVariable)!;
        Callers? callers = null;
        while (Console.ReadLine() is { } line)
        {
            switch (line.Split(' '))
            {
                case ["open", var count, var pool]:
                    callers = await Callers.OpenAsync(
                        isPostgreSql ? PgFactory.Instance : MySqlConnectorFactory.Instance, connection, Number(count), Number(pool));
                    Console.WriteLine("ok");
                    break;
                case ["run", var milliseconds]:
                    Console.WriteLine(JsonSerializer.Serialize(await callers!.RunAsync(TimeSpan.FromMilliseconds(Number(milliseconds)))));
                    break;
                default:
                    await callers!.DisposeAsync();
                    Console.WriteLine("ok");
                    break;
            }
        }

        return 0;
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
