using Slipstream.Testing;

namespace Slipstream.Fuzzing.Tests;

public class HelpTests
{
    [Fact]
    public void Help_tells_every_option() => HelpText.AssertComplete("fuzz", FuzzCommand.Create());
}
