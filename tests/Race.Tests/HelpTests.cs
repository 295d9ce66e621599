using Slipstream.Testing;

namespace Slipstream.Race.Tests;

public class HelpTests
{
    [Fact]
    public void Help_tells_every_option() => HelpText.AssertComplete("race", CommandLine.Create());
}
