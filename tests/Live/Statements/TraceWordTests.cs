using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Statements;
using Slipstream.Testing;

namespace Slipstream.Live.Statements;

/// <summary>A word that the driver treats as one of the server's own functions must be one: any other name may be a stored function.</summary>
public class TraceWordTests
{
    // ER_SP_DOES_NOT_EXIST: the server's error for a name that could be a stored function. Any other error (wrong arguments, a syntax error) means that it
    // cannot be one.
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
                    // EXPLAIN executes nothing.
                    using var command = new MySqlCommand($"EXPLAIN SELECT {word}({arguments})", connection);
                    command.ExecuteNonQuery();
                }
                catch (MySqlException exception) when (exception.Number != StoredFunctionDoesNotExist)
                {
                    // The server knows the word.
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
