using System.Globalization;
using BenchmarkDotNet.Running;
using Slipstream.Micro;

// dotnet run -c Release --project bench/Micro               the minimum of fifteen tries; takes half a minute
// dotnet run -c Release --project bench/Micro -- --filter * BenchmarkDotNet, with its own options
if (args.Length > 0)
{
    BenchmarkSwitcher.FromAssembly(typeof(RowBenchmarks).Assembly).Run(args);
    return;
}

var rows = new RowBenchmarks();
Console.WriteLine($"1,000 rows of three integers, replayed from memory; ns per row, best of {BestOf.Tries}");
Console.WriteLine();
Console.WriteLine("                        by hand  Advance  difference");
Compare("text, walked", rows.TextWalkByHand, rows.TextWalkAdvance, Transcript.Rows);
Compare("text, three GetInt32", rows.TextSumByHand, rows.TextSumAdvance, Transcript.Sum);
Compare("binary, walked", rows.BinaryWalkByHand, rows.BinaryWalkAdvance, Transcript.Rows);
Compare("binary, three GetInt32", rows.BinarySumByHand, rows.BinarySumAdvance, Transcript.Sum);

static void Compare(string name, Func<long> byHand, Func<long> advance, long expected)
{
    var (hand, own) = BestOf.PerRow(byHand, advance, expected, Transcript.Rows);
    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name,-22}  {hand,7:F1}  {own,7:F1}  {own - hand,10:F1}"));
}
