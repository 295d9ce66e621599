using Slipstream.Fuzzing.Engine;

namespace Slipstream.Fuzzing.Tests;

/// <summary>Inputs that once caused an error: <c>corpus/target/what-it-was</c>. The test reads them from the sources, so copying a file adds a case.</summary>
public sealed class CorpusTests
{
    public static TheoryData<string, string> Cases
    {
        get
        {
            var cases = new TheoryData<string, string>();
            foreach (var target in FuzzTargets.All)
            {
                foreach (var (name, _) in FindingStore.Corpus(target.Name))
                    cases.Add(target.Name, name);
            }

            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases), DisableDiscoveryEnumeration = false)]
    public void What_was_found_once_is_not_found_again(string target, string what)
    {
        var chosen = FuzzTargets.All.Single(one => one.Name == target);
        var (_, input) = FindingStore.Corpus(target).Single(found => found.Name == what);
        using var memory = new GuardedMemory(FindingStore.Running, $"{target}.{what}");
        Assert.Null(new Executor(chosen, memory).Execute(input, twice: true));
    }

    [Fact]
    public void Each_folder_of_the_corpus_is_that_of_a_target()
    {
        var corpus = Path.Combine(FindingStore.Root, "tests", "Fuzz", "corpus");
        foreach (var folder in Directory.EnumerateDirectories(corpus))
            Assert.Contains(FuzzTargets.All, target => target.Name == Path.GetFileName(folder));
    }
}
