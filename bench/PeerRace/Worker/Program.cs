using System.Globalization;
using Slipstream.PeerRace.Worker;

// A contestant of the race of ecosystems, in C#. Its environment says what to run (README.md). It reads lines and answers each with one:
//   open SCENARIO CALLERS  → ok
//   run MILLISECONDS       → operations, microseconds, and what the first caller read last
//   close                  → ok
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
var driver = Driver.FromEnvironment();
Console.WriteLine($"ready {driver.Version}");
Crew? crew = null;
while (Console.ReadLine() is { } line)
{
    try
    {
        Console.WriteLine(await AnswerAsync(line.Split(' ')));
    }
    catch (Exception exception)
    {
        Console.WriteLine($"failed {exception.GetType().Name}: {exception.Message.ReplaceLineEndings(" ")}");
    }
}

return 0;

async Task<string> AnswerAsync(string[] words)
{
    switch (words)
    {
        case ["open", var scenario, var callers]:
            crew = await driver.OpenAsync(scenario, int.Parse(callers, CultureInfo.InvariantCulture));
            return "ok";
        case ["run", var milliseconds]:
            return await crew!.RunAsync(TimeSpan.FromMilliseconds(int.Parse(milliseconds, CultureInfo.InvariantCulture)));
        case ["close"]:
            await crew!.DisposeAsync();
            return "ok";
        default:
            throw new ArgumentException($"there is no command '{words[0]}'");
    }
}
