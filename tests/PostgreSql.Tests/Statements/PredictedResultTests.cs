using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Statements;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Tests.Statements;

public class PredictedResultTests
{
    // The sessions of a data source share a statement. One of them may forget its result while another one learns or forgets it.
    [Fact]
    public void Sessions_that_learn_and_forget_a_result_at_the_same_time_do_not_disturb_each_other()
    {
        const int Times = 400_000;
        var part = PgStatement.ScanPositional("SELECT 1").Parts[0];
        var known = Enumerable.Range(0, 3).Select(static i => ResultMetadata.Of([($"c{i}", TypeOid.Int4)], isBinary: true, TypeCatalogue.BuiltIn)).ToArray();
        Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, worker =>
        {
            for (var i = 0; i < Times; i++)
            {
                if (worker % 2 == 0)
                    part.LearnResult(known[i % 3], 1);
                else
                    part.LearnResult(null, 1);
                var predicted = part.PredictResult(1);
                Assert.True(predicted is null || Array.IndexOf(known, predicted) >= 0);
            }
        });
    }
}
