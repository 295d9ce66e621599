using FsCheck;
using FsCheck.Fluent;
using Slipstream.Core.Causality;

namespace Slipstream.MySql.Tests.Causality;

/// <summary>The arithmetic of sets of GTIDs agrees with that of sets of numbers.</summary>
public sealed class TransactionSetLaws
{
    private const string Source = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

    private static readonly Config Much = Config.QuickThrowOnFailure.WithMaxTest(1000).WithQuietOnSuccess(true);

    [Fact]
    public void A_set_covers_exactly_its_subsets() => Holds((one, other) => Of(one).Covers(Of(other)) == other.IsSubsetOf(one));

    [Fact]
    public void A_union_covers_both_and_nothing_else_while_it_is_short() => Holds((one, other) =>
        Of(one).Join(Of(other)) is var joined && joined.Covers(Of(one)) && joined.Covers(Of(other)) && Of([.. one.Union(other)]).Covers(joined));

    [Fact]
    public void The_text_of_a_set_is_the_same_set() => Holds((one, other) =>
        TransactionSet.Parse(Of(one).Text(), ',')!.Text() == Of(one).Text() && (Of(one).Text() == Of(other).Text()) == one.SetEquals(other));

    [Fact]
    public void A_bounded_set_covers_the_set() => Prop.ForAll(
        ArbMap.Default.ArbFor<NonEmptyArray<PositiveInt>>(),
        static numbers => Of([.. numbers.Item.Select(static number => number.Item * 3)]) is var set && set.Bounded().Covers(set)).Check(Much);

    // Numbers up to 16, so that intervals touch and overlap, and no set has too many.
    private static void Holds(Func<HashSet<int>, HashSet<int>, bool> law) => Prop.ForAll(
        ArbMap.Default.ArbFor<(NonEmptyArray<byte> One, NonEmptyArray<byte> Other)>(), pair => law(Small(pair.One.Item), Small(pair.Other.Item))).Check(Much);

    private static HashSet<int> Small(byte[] numbers) => [.. numbers.Select(static number => number % 16 + 1)];

    private static TransactionSet Of(HashSet<int> numbers) =>
        TransactionSet.Parse($"{Source}:{string.Join(':', numbers)}", ',') ?? throw new FormatException();
}
