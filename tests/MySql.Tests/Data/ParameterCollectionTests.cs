using System.Data;
using Slipstream.Testing;

namespace Slipstream.MySql.Tests.Data;

public class ParameterCollectionTests
{
    private const int Many = 30_000;

    [Theory]
    [InlineData("@id")]
    [InlineData("?id")]
    [InlineData("id")]
    [InlineData("@`id`")]
    [InlineData("@'id'")]
    public void A_name_is_found_with_any_prefix_and_quotes(string name)
    {
        foreach (var lookup in (string[])["@id", "?id", "id", "@`id`", "ID", "@Id"])
            Assert.Equal(0, With(name).IndexOf(lookup));
    }

    [Fact]
    public void The_spelling_comes_before_the_case()
    {
        var few = With("@a", "@A", "@b");
        Assert.Equal((0, 1, 2), (few.IndexOf("a"), few.IndexOf("A"), few.IndexOf("B")));

        var many = With([.. Enumerable.Range(0, 20).Select(i => $"@p{i}"), "@P7"]);
        Assert.Equal((7, 20, 8), (many.IndexOf("p7"), many.IndexOf("P7"), many.IndexOf("P8")));
    }

    [Theory]
    [InlineData(4)]
    [InlineData(40)]
    public void Lookups_stay_right_through_every_change(int count)
    {
        var collection = With([.. Enumerable.Range(0, count).Select(i => $"@p{i}")]);
        Assert.Equal(2, collection.IndexOf("@p2"));
        Assert.Equal(3, collection.IndexOf("@P3"));

        collection[2].ParameterName = "@renamed";
        Assert.Equal((-1, 2, 2), (collection.IndexOf("@p2"), collection.IndexOf("renamed"), collection.IndexOf("RENAMED")));

        collection.Insert(0, new MySqlParameter("@first", 1));
        Assert.Equal((0, 3), (collection.IndexOf("first"), collection.IndexOf("renamed")));

        collection.RemoveAt("@first");
        Assert.Equal((-1, 2), (collection.IndexOf("first"), collection.IndexOf("renamed")));

        collection[2] = new MySqlParameter("@other", 1);
        Assert.Equal((-1, 2), (collection.IndexOf("renamed"), collection.IndexOf("other")));

        collection.Add(new MySqlParameter("@last", 1));
        Assert.Equal((count, count), (collection.IndexOf("last"), collection.IndexOf("LAST")));

        collection.Remove(collection["last"]);
        Assert.Equal(-1, collection.IndexOf("last"));

        collection.Clear();
        Assert.Equal((-1, 0), (collection.IndexOf("other"), collection.Count));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(20)]
    public void A_rename_to_the_name_of_another_is_refused(int count)
    {
        var collection = With([.. Enumerable.Range(0, count).Select(i => $"@p{i}")]);
        Assert.Contains(
            "'?p0' has already been defined", Assert.Throws<ArgumentException>(() => collection[2].ParameterName = "?p0").Message, StringComparison.Ordinal);
        Assert.Equal((0, 2, "@p2"), (collection.IndexOf("p0"), collection.IndexOf("p2"), collection[2].ParameterName));
        collection[2].ParameterName = "p2";
        collection[2].ParameterName = "@P0";
        Assert.Equal((0, 2, -1), (collection.IndexOf("p0"), collection.IndexOf("P0"), collection.IndexOf("p2")));
        collection[2].ParameterName = "";
        Assert.Equal((0, -1), (collection.IndexOf("P0"), collection.IndexOf("")));
    }

    [Fact]
    public void A_parameter_is_added_for_a_column_of_a_data_adapter()
    {
        var collection = new MySqlParameterCollection();
        var added = collection.Add("@name", MySqlDbType.VarChar, 40, "name");
        Assert.Same(added, collection["name"]);
        Assert.Equal((MySqlDbType.VarChar, 40, "name"), (added.MySqlDbType, added.Size, added.SourceColumn));
    }

    [Fact]
    public void A_parameter_without_a_name_is_in_a_collection_once_and_may_be_in_two()
    {
        var (collection, parameter) = (new MySqlParameterCollection(), new MySqlParameter());
        collection.Add(parameter);
        Assert.Contains("already in this collection", Assert.Throws<ArgumentException>(() => collection.Add(parameter)).Message, StringComparison.Ordinal);
        collection[0] = parameter;
        new MySqlParameterCollection().Add(parameter);
        collection.Remove(parameter);
        collection.Add(parameter);
        Assert.Single(collection.Cast<MySqlParameter>());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    public void A_name_cannot_be_added_twice(int count)
    {
        var collection = With([.. Enumerable.Range(0, count).Select(i => $"@p{i}")]);
        var error = Assert.Throws<ArgumentException>(() => collection.AddWithValue("?p0", 1));
        Assert.Contains("'?p0' has already been defined", error.Message, StringComparison.Ordinal);
        Assert.Equal(count, collection.Count);
    }

    [Fact]
    public void A_parameter_is_replaced_by_one_of_its_own_name_but_not_of_anothers()
    {
        var collection = With("@a", "@b");
        var replacement = new MySqlParameter("a", 2);
        collection[0] = replacement;
        Assert.Same(replacement, collection["@a"]);
        Assert.Throws<ArgumentException>(() => collection[0] = new MySqlParameter("@b", 3));
        Assert.Same(replacement, collection["@a"]);
    }

    [Fact]
    public void Positional_parameters_have_no_name_and_may_be_many()
    {
        var collection = With("", "", "");
        Assert.Equal((3, -1, -1), (collection.Count, collection.IndexOf(""), collection.IndexOf("@")));
    }

    [Fact]
    public void The_shape_changes_with_names_and_order_but_not_with_values()
    {
        var collection = With("@a", "@b");
        var shape = collection.Shape;
        collection["@a"].Value = 5;
        collection["@a"].Size = 5;
        Assert.Equal(shape, collection.Shape);

        foreach (var change in (Action[])
        [
            () => collection[0].ParameterName = "@c",
            () => collection.AddWithValue("@d", 1),
            () => collection.RemoveAt(0),
            () => collection[0] = new MySqlParameter("@e", 1),
            collection.Clear,
        ])
        {
            change();
            Assert.NotEqual(shape, collection.Shape);
            shape = collection.Shape;
        }
    }

    [Fact]
    public void A_parameter_of_two_collections_is_found_by_its_new_name_in_both()
    {
        var first = With([.. Enumerable.Range(0, 20).Select(i => $"@p{i}")]);
        Assert.Equal(5, first.IndexOf("p5"));
        var second = new MySqlParameterCollection { first[5] };

        first[5].ParameterName = "@new";

        Assert.Equal((5, -1, 0), (first.IndexOf("new"), first.IndexOf("p5"), second.IndexOf("new")));
        Assert.NotEqual(first.Shape, first.Shape);
        Assert.Equal(second.Shape, second.Shape);
    }

    [Fact]
    public void Thirty_thousand_parameters_are_found_without_allocating_anything()
    {
        var collection = Filled();
        Assert.Equal(Many - 1, collection.IndexOf($"@p{Many - 1}"));
        Assert.Equal(Many - 2, collection.IndexOf($"@P{Many - 2}"));
        var names = Enumerable.Range(0, Many).Select(i => $"@p{i}").ToArray();

        Assert.Equal(0, Allocations.Of(() =>
        {
            for (var i = 0; i < Many; i++)
            {
                if (collection.IndexOf(names[i]) != i)
                    Assert.Fail(names[i]);
            }
        }));
    }

    [Fact]
    public void Adding_and_renaming_thirty_thousand_parameters_allocates_in_proportion()
    {
        var thousands = Filled(3_000);
        var tens = Measure(() => Rename(thousands));
        var all = Filled();
        var hundreds = Measure(() => Rename(all));
        Assert.InRange(hundreds, tens * 5, tens * 20);

        static void Rename(MySqlParameterCollection collection)
        {
            for (var i = 0; i < collection.Count; i++)
            {
                collection[i].ParameterName = $"@q{i}";
                if (collection.IndexOf(collection[i].ParameterName) != i)
                    Assert.Fail(collection[i].ParameterName);
            }
        }

        static long Measure(Action act)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            act();
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    [Fact]
    public void Only_its_own_parameters_fit()
    {
        var collection = With();
        Assert.Throws<InvalidCastException>(() => collection.Add("text"));
        Assert.Throws<ArgumentNullException>(() => collection.Add((object)null!));
        Assert.Throws<ArgumentException>(() => collection["@nobody"]);
        Assert.Throws<ArgumentException>(() => collection.RemoveAt("@nobody"));
        Assert.Throws<ArgumentException>(() => collection.Remove(new MySqlParameter()));
    }

    [Fact]
    public void Every_way_of_adding_adds()
    {
        var collection = With();
        collection.Add("@a", DbType.Int32).Value = 1;
        collection.Add("@b", MySqlDbType.Blob, 10);
        collection.Add("@c", MySqlDbType.Guid);
        Assert.Equal(3, collection.Add((object)new MySqlParameter("@d", 4)));
        collection.AddRange(new[] { new MySqlParameter("@e", 5), new MySqlParameter<int>("@f", 6) });
        collection.AddWithValue("@g", null);

        Assert.Equal(["@a", "@b", "@c", "@d", "@e", "@f", "@g"], collection.Select(parameter => parameter.ParameterName));
        Assert.Equal((MySqlDbType.Int32, 10, DbType.Guid), (collection["a"].MySqlDbType, collection["b"].Size, collection["c"].DbType));
        var copy = new MySqlParameter[8];
        collection.CopyTo(copy, 1);
        Assert.Same(collection[6], copy[7]);
        Assert.True(collection.Contains("@g") && collection.Contains(copy[7]) && !collection.Contains("@h"));
    }

    [Fact]
    public void Clones_are_added_to_another_command()
    {
        var collection = With("@a", "@b");
        var other = new MySqlParameterCollection();
        other.AddClonesOf(collection);
        other["a"].ParameterName = "@c";
        Assert.Equal((0, 0), (collection.IndexOf("a"), other.IndexOf("c")));
    }

    private static MySqlParameterCollection Filled(int count = Many) => With([.. Enumerable.Range(0, count).Select(i => $"@p{i}")]);

    private static MySqlParameterCollection With(params string[] names)
    {
        var collection = new MySqlParameterCollection();
        foreach (var name in names)
            collection.AddWithValue(name, 1);
        return collection;
    }

    [Fact]
    public void Thirty_thousand_parameters_cost_no_string_for_a_name()
    {
        var names = Enumerable.Range(0, 30_000).Select(i => $"@p{i}").ToArray();
        var (best, found) = (long.MaxValue, long.MaxValue);
        for (var round = 0; round < 5; round++)
        {
            // The least of the rounds, because the runtime's own work on this thread (a new tier of a method) counts, too.
            var command = new MySqlCommand();
            var before = GC.GetAllocatedBytesForCurrentThread();
            foreach (var name in names)
                command.Parameters.AddWithValue(name, null);
            var built = GC.GetAllocatedBytesForCurrentThread();
            foreach (var name in names)
                command.Parameters[name].Value = name;
            found = Math.Min(found, GC.GetAllocatedBytesForCurrentThread() - built);
            best = Math.Min(best, (built - before) / names.Length);
        }

        Assert.Equal(0, found);

        // The parameter itself, and twice the entries in the list and the index while they grow.
        Assert.InRange(best, 1, 140);
    }

    [Fact]
    public void Names_given_afterwards_and_changed_are_found_among_many()
    {
        var collection = new MySqlCommand().Parameters;
        var parameters = Enumerable.Range(0, 1000).Select(_ => collection.Add(new MySqlParameter())).ToArray();
        Assert.Equal(-1, collection.IndexOf("p5"));
        for (var i = 0; i < parameters.Length; i++)
            parameters[i].ParameterName = $"@p{i}";
        for (var i = 0; i < parameters.Length; i++)
        {
            Assert.Equal(i, collection.IndexOf($"p{i}"));
            Assert.Equal(i, collection.IndexOf($"P{i}"));
        }

        parameters[7].ParameterName = "other";
        Assert.Equal((-1, 7), (collection.IndexOf("p7"), collection.IndexOf("OTHER")));
        parameters[8].ParameterName = "Other";
        Assert.Equal((7, 8), (collection.IndexOf("other"), collection.IndexOf("Other")));
        parameters[7].ParameterName = "";
        Assert.Equal((8, 8), (collection.IndexOf("other"), collection.IndexOf("Other")));
        collection.RemoveAt(0);
        Assert.Equal((7, 98), (collection.IndexOf("other"), collection.IndexOf("p99")));
        collection.Insert(0, new MySqlParameter("p0", 1));
        Assert.Equal((0, 999), (collection.IndexOf("p0"), collection.IndexOf("p999")));
    }
}
