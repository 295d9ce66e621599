using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Statements;
using Slipstream.Testing;

namespace Slipstream.Live.Statements;

/// <summary>A word that passes for one of the server's own functions must be one: of any other name there may be a stored function.</summary>
public class TraceWordTests
{
    // ER_SP_DOES_NOT_EXIST: what a server says of a name that could be a stored function's. Anything else (wrong arguments, a syntax error) means that it is none.
    private const int StoredFunctionDoesNotExist = 1305;

    public static TheoryData<ServerKind> Servers => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Every_word_that_is_taken_for_a_function_of_the_server_is_one(ServerKind kind)
    {
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Pooling=false"));
        await connection.OpenAsync();
        var words = EffectWords.FunctionsOf(kind != ServerKind.MySql).ToArray();
        Assert.True(words.Length > 200);
        List<string> strangers = [];
        foreach (var word in words)
        {
            Assert.True(EffectWords.IsFunction(word, kind != ServerKind.MySql));
            foreach (var arguments in (string[])["1", "", "1, 1", "1, 1, 1"])
            {
                try
                {
                    // Nothing is executed.
                    using var command = new MySqlCommand($"EXPLAIN SELECT {word}({arguments})", connection);
                    command.ExecuteNonQuery();
                }
                catch (MySqlException exception) when (exception.Number != StoredFunctionDoesNotExist)
                {
                    // It knows the word.
                }
                catch (MySqlException)
                {
                    strangers.Add(word);
                    break;
                }
            }
        }

        Assert.Empty(strangers);
    }
}
