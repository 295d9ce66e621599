namespace Slipstream.Soak.Tests;

public class HelpTests
{
    [Fact]
    public void Help_tells_every_option() => HelpText.AssertComplete("soak", SoakCommand.Create());
}
