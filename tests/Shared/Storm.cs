using System.Globalization;

namespace Slipstream.Testing;

/// <summary>
/// The number of repetitions in a storm: a small number in <c>./test</c>, so that it runs with every change, and 10,000 in <c>./test --all</c>, which sets the
/// variable.
/// </summary>
internal static class Storm
{
    private const string Variable = "SLIPSTREAM_STORM";

    /// <param name="usual">The number in <c>./test</c>.</param>
    public static int Number(int usual) =>
        int.TryParse(Environment.GetEnvironmentVariable(Variable), NumberStyles.None, CultureInfo.InvariantCulture, out var wanted) ? wanted : usual;
}
