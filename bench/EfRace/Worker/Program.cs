using System.Diagnostics;
using System.Globalization;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Slipstream.EfRace.Worker;

// worker create|use|drop|cold CONNECTION-STRING. "use" reads lines from its standard input and answers each with one:
//   scenarios                              → their names
//   run NAME sync|async|pooled64 TIME      → operations, microseconds, microseconds of CPU, bytes allocated; runs for TIME ms, or N operations as "N!"
var options = Provider.Use(new DbContextOptionsBuilder<Shop>(), args[1]).Options;
switch (args[0])
{
    case "create":
        using (var shop = new Shop(options))
        {
            shop.Database.EnsureDeleted();
            shop.Database.EnsureCreated();
            shop.Fill();
        }

        return 0;
    case "drop":
        using (var shop = new Shop(options))
            shop.Database.EnsureDeleted();
        return 0;
    case "cold":
        using (var shop = new Shop(options))
            Operations.All["QueryByKey"].Blocking(shop, 0);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"1 0 {Environment.CpuUsage.TotalTime.TotalMicroseconds:F0} {GC.GetTotalAllocatedBytes(true)}"));
        return 0;
}

var factory = new PooledDbContextFactory<Shop>(options, 64);
while (Console.ReadLine() is { } line)
{
    var words = line.Split(' ');
    try
    {
        Console.WriteLine(words[0] == "scenarios" ? string.Join(' ', Operations.All.Keys) : await RunAsync(Operations.All[words[1]], words[2], words[3]));
    }
    catch (Exception exception)
    {
        Console.WriteLine($"failed {exception.GetType().Name}: {exception.Message.ReplaceLineEndings(" ")}");
    }

    if (words is ["run", ['I', 'n', 's', 'e', 'r', 't', ..], ..])
    {
        await using var shop = new Shop(options);
        await shop.Rows.ExecuteDeleteAsync();
    }
}

return 0;

async Task<string> RunAsync(Operation operation, string mode, string limit)
{
    var (times, time) = limit.EndsWith('!')
        ? (int.Parse(limit[..^1], CultureInfo.InvariantCulture), TimeSpan.MaxValue)
        : (int.MaxValue, TimeSpan.FromMilliseconds(int.Parse(limit, CultureInfo.InvariantCulture)));
    GC.Collect();
    var (bytes, cpu, start) = (GC.GetTotalAllocatedBytes(true), Environment.CpuUsage.TotalTime, Stopwatch.GetTimestamp());
    var count = mode switch
    {
        "sync" => RunBlocking(),
        "async" => await RunOneAsync(static () => 0, false),
        _ => await RunPooledAsync(),
    };
    var elapsed = Stopwatch.GetElapsedTime(start);
    return string.Create(
        CultureInfo.InvariantCulture,
        $"{count} {elapsed.TotalMicroseconds:F0} {(Environment.CpuUsage.TotalTime - cpu).TotalMicroseconds:F0} {GC.GetTotalAllocatedBytes(true) - bytes}");

    int RunBlocking()
    {
        var i = 0;
        do
        {
            using var shop = new Shop(options);
            operation.Blocking(shop, i++);
        }
        while (i < times && Stopwatch.GetElapsedTime(start) < time);
        return i;
    }

    async Task<int> RunOneAsync(Func<int> first, bool isPooled)
    {
        var i = first();
        do
        {
            await using var shop = isPooled ? await factory.CreateDbContextAsync() : new Shop(options);
            await operation.Asynchronous(shop, i++);
        }
        while (i < times && Stopwatch.GetElapsedTime(start) < time);
        return i;
    }

    async Task<int> RunPooledAsync()
    {
        var counts = await Task.WhenAll(Enumerable.Range(0, 64).Select(_ => Task.Run(() => RunOneAsync(static () => 0, true))));
        return counts.Sum();
    }
}
