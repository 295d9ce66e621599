using BenchmarkDotNet.Attributes;

namespace Slipstream.Micro;

/// <summary>Reads 1,000 rows of three integers with the provider's exchange and with a loop written by hand. Both first copy the bytes into a buffer.</summary>
[MemoryDiagnoser]
public class RowBenchmarks
{
    private readonly byte[] _buffer = new byte[65536];
    private readonly Replay _replay = new();

    [Benchmark(OperationsPerInvoke = Transcript.Rows)]
    public long TextWalkByHand() => HandInlined.Walk(Filled(Transcript.Text));

    [Benchmark(OperationsPerInvoke = Transcript.Rows)]
    public long TextWalkAdvance() => _replay.Walk(Transcript.Text, binary: false);

    [Benchmark(OperationsPerInvoke = Transcript.Rows)]
    public long TextSumByHand() => HandInlined.SumText(Filled(Transcript.Text));

    [Benchmark(OperationsPerInvoke = Transcript.Rows)]
    public long TextSumAdvance() => _replay.Sum(Transcript.Text, binary: false);

    [Benchmark(OperationsPerInvoke = Transcript.Rows)]
    public long BinaryWalkByHand() => HandInlined.Walk(Filled(Transcript.Binary));

    [Benchmark(OperationsPerInvoke = Transcript.Rows)]
    public long BinaryWalkAdvance() => _replay.Walk(Transcript.Binary, binary: true);

    [Benchmark(OperationsPerInvoke = Transcript.Rows)]
    public long BinarySumByHand() => HandInlined.SumBinary(Filled(Transcript.Binary));

    [Benchmark(OperationsPerInvoke = Transcript.Rows)]
    public long BinarySumAdvance() => _replay.Sum(Transcript.Binary, binary: true);

    private byte[] Filled(byte[] transcript)
    {
        transcript.CopyTo(_buffer, 0);
        return _buffer;
    }
}
