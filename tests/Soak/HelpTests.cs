namespace Slipstream.Soak.Tests;

public class HelpTests
{
    [Fact]
    public void Help_tells_every_option() => HelpText.Tells("soak", SoakCommand.Create());
}
