using Microsoft.EntityFrameworkCore;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Procedures;

/// <summary>A procedure that does not find its row returns NULL instead of the row's values. SaveChanges then reports the conflict.</summary>
public sealed class ProcedureConflictTests
{
    private static readonly string[] Texts =
    [
        """
        CREATE PROCEDURE box_update(p_id int, p_name longtext, OUT p_code int, OUT p_count int)
        BEGIN UPDATE Boxes SET Name = p_name WHERE Id = p_id; SET p_count = ROW_COUNT(); SET p_code = (SELECT Code FROM Boxes WHERE Id = p_id); END
        """,
        """
        CREATE PROCEDURE bag_update(p_id int, p_name longtext, OUT p_code int)
        BEGIN DECLARE n int; UPDATE Bags SET Name = p_name WHERE Id = p_id; SET n = ROW_COUNT(); SET p_code = (SELECT Code FROM Bags WHERE Id = p_id);
        SELECT n; END
        """,
    ];

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task A_conflict_is_reported_although_the_values_are_null(ServerKind kind) => Depot.WithAsync(kind, Build, Texts, static async open =>
    {
        await ChangeAsync(open, new Box { Name = "one" });
        await ChangeAsync(open, new Bag { Name = "one" });
    });

    private static async Task ChangeAsync<T>(Func<AnyModel> open, T item)
        where T : Container
    {
        await using var context = open();
        context.Add(item);
        await context.SaveChangesAsync(Stop);
        item.Name = "two";
        await context.SaveChangesAsync(Stop);
        Assert.Equal(10, item.Code);

        await context.Set<T>().ExecuteDeleteAsync(Stop);
        item.Name = "three";
        var conflict = await Assert.ThrowsAsync<DbUpdateConcurrencyException>(() => context.SaveChangesAsync(Stop));
        Assert.Same(item, Assert.Single(conflict.Entries).Entity);
    }

    private static void Build(ModelBuilder model)
    {
        model.Entity<Box>().ToTable("Boxes").UpdateUsingStoredProcedure("box_update", static call => call
            .HasOriginalValueParameter(static b => b.Id).HasParameter(static b => b.Name).HasParameter(static b => b.Code, static p => p.IsOutput())
            .HasRowsAffectedParameter());
        model.Entity<Bag>().ToTable("Bags").UpdateUsingStoredProcedure("bag_update", static call => call
            .HasOriginalValueParameter(static b => b.Id).HasParameter(static b => b.Name).HasParameter(static b => b.Code, static p => p.IsOutput())
            .HasRowsAffectedResultColumn());
        foreach (var type in (Type[])[typeof(Box), typeof(Bag)])
            model.Entity(type).Property<int>(nameof(Container.Code)).HasComputedColumnSql("CHAR_LENGTH(Name) + 7");
    }

    private abstract class Container
    {
        public int Id { get; set; }

        public string Name { get; set; } = "";

        public int Code { get; set; }
    }

    private sealed class Box : Container;

    private sealed class Bag : Container;
}
