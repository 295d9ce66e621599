using System.CommandLine;
using System.Text.Json;
using Slipstream.Lab;
using Slipstream.ScaleModel;
using Slipstream.ScaleModel.Measuring;
using Slipstream.ScaleModel.Simulating;

// ./race --model: predicts throughput and tails by a simulation, and compares with this machine. README.md describes it.
if (args is [WorkerProgram.Option, var kind])
    return await WorkerProgram.RunAsync(kind == "postgresql");

const int MostCallers = 10_000;
// The lab's servers have no room for more.
const int MostSessions = 100;
var model = new Option<bool>("--model");
var calibrate = new Option<bool>("--calibrate");
var measure = new Option<bool>("--measure");
var larger = new Option<bool>("--larger");
var server = new Option<string?>("--server");
var costsFile = new Option<string?>("--costs");
var callers = new Option<string>("--callers") { DefaultValueFactory = _ => "64,256,1000" };
var pools = new Option<string>("--pool") { DefaultValueFactory = _ => "10,100" };
var rounds = new Option<int>("--rounds") { DefaultValueFactory = _ => 3 };
var milliseconds = new Option<int>("--milliseconds") { DefaultValueFactory = _ => 1000 };
var seed = new Option<int>("--seed") { DefaultValueFactory = _ => 1 };
var epoll = new Option<double>("--epoll") { DefaultValueFactory = _ => new SerialCosts().Epoll };
var idleCount = new Option<double>("--idle-count") { DefaultValueFactory = _ => new SerialCosts().IdleCount };
var poolLock = new Option<double>("--pool-lock") { DefaultValueFactory = _ => new SerialCosts().PoolLock };
var root = new RootCommand 
{
    model, calibrate, measure, larger, server, costsFile, callers, pools, rounds, milliseconds, seed, epoll, idleCount, poolLock,
};
root.SetAction(async (result, stop) =>
{
    try
    {
        var names = Slipstream.Bench.Names.Choose(result.GetValue(server), Cells.Servers, "--server");
        var (times, length) = (result.GetValue(rounds), result.GetValue(milliseconds));
        if (times is < 1 or > 1000 || length is < 100 or > 60_000)
            throw new ArgumentException("--rounds takes 1 to 1000, --milliseconds 100 to 60000");
        if (result.GetValue(calibrate))
        {
            var measured = await Measurement.RunAsync([.. names.SelectMany(Calibration.Settings)], times, length, stop);
            var found = names.ToDictionary(static name => name, name => Calibration.From(name, setting => Sample.BestOf(measured[setting])));
            Console.WriteLine(JsonSerializer.Serialize(found, Report.Json));
            return 0;
        }

        var costs = Costs.ReadAll(result.GetValue(costsFile));
        var serial = new SerialCosts
        {
            Epoll = result.GetValue(epoll), IdleCount = result.GetValue(idleCount), PoolLock = result.GetValue(poolLock),
        };
        var ofThisMachine = Cells.OfThisMachine(
            Slipstream.Bench.Names.Numbers(result.GetValue(callers)!, "--callers", MostCallers),
            Slipstream.Bench.Names.Numbers(result.GetValue(pools)!, "--pool", MostSessions));
        var cells = (result.GetValue(larger) ? Cells.OfLargerMachines : ofThisMachine).Where(cell => names.Contains(cell.Server)).ToArray();
        var predicted = cells.AsParallel().AsOrdered().WithDegreeOfParallelism(Math.Max(1, Environment.ProcessorCount / 2))
            .Select(cell => new Simulation(costs[cell.Server], serial, cell, result.GetValue(seed)).Run(Report.Operations(cell))).ToArray();
        if (result.GetValue(measure) && !result.GetValue(larger))
        {
            var samples = await Measurement.RunAsync(cells, times, length, stop);
            Report.Compare(cells, predicted, Medians(samples));
        }
        else
            Report.Predict(cells, predicted);
        return 0;
    }
    catch (ArgumentException exception)
    {
        await Console.Error.WriteLineAsync($"race: {exception.Message}. See bench/ScaleModel/README.md.");
        return 2;
    }
    catch (Exception exception) when (exception is LabUnavailableException or InvalidOperationException)
    {
        await Console.Error.WriteLineAsync($"race: {exception.Message}");
        return 1;
    }
});
return await root.Parse(args).InvokeAsync();

static Dictionary<Setting, Sample> Medians(Dictionary<Setting, List<Sample>> samples) =>
    samples.ToDictionary(static one => one.Key, static one => Sample.MedianOf(one.Value));
