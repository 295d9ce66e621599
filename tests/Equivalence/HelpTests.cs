namespace Slipstream.Equivalence.Tests;

public class HelpTests
{
    [Fact]
    public void Help_tells_every_option() => HelpText.AssertComplete("equivalence", EquivalenceCommand.Create());
}
