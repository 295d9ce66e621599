namespace Slipstream.Micro;

/// <summary>
/// The answer of MySQL 9.7 to <c>select * from integers a join integers b join integers c</c>: 1,000 rows of three integers, without the EOF packets
/// (CLIENT_DEPRECATE_EOF), as text (COM_QUERY) and as binary rows (COM_STMT_EXECUTE).
/// </summary>
internal static class Transcript
{
    public const int Rows = 1_000;

    /// <summary>The sum of all values of all rows.</summary>
    public const long Sum = 13_500;

    public static byte[] Text { get; } = Read("many-rows-text.bin");

    public static byte[] Binary { get; } = Read("many-rows-binary.bin");

    private static byte[] Read(string name)
    {
        using var stream = typeof(Transcript).Assembly.GetManifestResourceStream(name)!;
        var bytes = new byte[stream.Length];
        stream.ReadExactly(bytes);
        return bytes;
    }
}
