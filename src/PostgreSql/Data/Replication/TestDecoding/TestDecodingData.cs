namespace Slipstream.PostgreSql.Replication.TestDecoding;

/// <summary>A change as the plug-in test_decoding writes it. The object is reused for the next change; <see cref="Clone"/> keeps one.</summary>
public sealed class TestDecodingData : ReplicationMessage
{
    /// <summary>Creates a message without content.</summary>
    public TestDecodingData()
    {
    }

    /// <summary>Gets the change as text, such as <c>table public.data: INSERT: id[integer]:1</c>.</summary>
    public string Data { get; internal set; } = "";

    /// <summary>Returns <see cref="Data"/>.</summary>
    public override string ToString() => Data;

    /// <summary>Returns a copy, which later messages do not change.</summary>
    /// <returns>The copy.</returns>
    public TestDecodingData Clone()
    {
        var clone = new TestDecodingData { Data = Data };
        clone.Set(WalStart, WalEnd, ServerClock);
        return clone;
    }
}
