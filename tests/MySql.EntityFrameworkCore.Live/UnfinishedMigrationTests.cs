using System.Data.Common;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Migrations;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>The server commits each statement that changes a table by itself. A migration that failed in the middle continues there.</summary>
public sealed class UnfinishedMigrationTests : IAsyncDisposable
{
    private readonly List<Fleet> _fleets = [];

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_migration_that_was_refused_continues_when_the_cause_is_gone(ServerKind kind)
    {
        foreach (var asynchronously in (bool[])[false, true])
        {
            var fleet = await CreateAsync(kind);
            await fleet.Database.ExecuteSqlRawAsync("CREATE TABLE Ports (Id int PRIMARY KEY)", Stop);
            var refusal = await Assert.ThrowsAsync<MySqlException>(() => Migrate(fleet, asynchronously));
            Assert.Equal(MySqlErrorCode.TableExists, refusal.ErrorCode);
            Assert.Empty(await fleet.Database.GetAppliedMigrationsAsync(Stop));
            // The same again: what was done is not done again, and what was refused is not taken for done.
            Assert.Equal(
                MySqlErrorCode.TableExists, (await Assert.ThrowsAsync<MySqlException>(() => Migrate(fleet, asynchronously))).ErrorCode);

            await fleet.Database.ExecuteSqlRawAsync("DROP TABLE Ports", Stop);
            await Migrate(fleet, asynchronously);
            await IsComplete(fleet);
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_migration_continues_after_each_command_whose_end_nobody_knows(ServerKind kind)
    {
        foreach (var wasExecuted in (bool[])[false, true])
        {
            // Every command of Ships except UPDATE, with the one that enters it in the history.
            foreach (var command in (int[])[0, 1, 2, 3, 4, 6, 7, 8, 9])
            {
                var cut = new Cut(command, wasExecuted);
                var fleet = await CreateAsync(kind, cut);
                var asynchronously = command % 2 == 0;
                await Assert.ThrowsAnyAsync<Exception>(() => Migrate(fleet, asynchronously));
                Assert.True(cut.HasHappened, $"Command {command} was not executed.");
                cut.IsOver = true;
                await Migrate(fleet, !asynchronously);
                await IsComplete(fleet);
            }
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_migration_continues_backwards(ServerKind kind)
    {
        for (var command = 0; command < 4; command++)
        {
            var cut = new Cut(command, wasExecuted: true) { IsOver = true };
            var fleet = await CreateAsync(kind, cut);
            await fleet.Database.MigrateAsync(Stop);
            cut.IsOver = false;
            await Assert.ThrowsAnyAsync<Exception>(() => fleet.GetService<IMigrator>().MigrateAsync("0", Stop));
            Assert.True(cut.HasHappened, $"Command {command} was not executed.");
            cut.IsOver = true;
            await fleet.GetService<IMigrator>().MigrateAsync("0", Stop);
            Assert.Equal(["__EFMigrationsHistory"], await Tables(fleet));
            // What is left of the way down would make the way up skip its commands.
            await fleet.Database.MigrateAsync(Stop);
            await IsComplete(fleet);
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Nobody_guesses_whether_a_command_was_executed_that_does_not_show_it(ServerKind kind)
    {
        // UPDATE, the sixth.
        var cut = new Cut(5, wasExecuted: true);
        var fleet = await CreateAsync(kind, cut);
        await Assert.ThrowsAnyAsync<Exception>(() => fleet.Database.MigrateAsync(Stop));
        cut.IsOver = true;
        var question = await Assert.ThrowsAsync<InvalidOperationException>(() => fleet.Database.MigrateAsync(Stop));
        Assert.Contains("ended during command 6 of the migration '20260201000001_Ships'", question.Message);
        Assert.Contains("UPDATE Ships", question.Message);
        await fleet.Database.ExecuteSqlRawAsync("UPDATE __EFMigrationsProgress SET State = {0}", ["done"], Stop);
        await fleet.Database.MigrateAsync(Stop);
        await IsComplete(fleet);
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_migration_whose_executed_commands_have_changed_says_so(ServerKind kind)
    {
        var fleet = await CreateAsync(kind);
        await fleet.Database.ExecuteSqlRawAsync("CREATE TABLE Ports (Id int PRIMARY KEY)", Stop);
        await Assert.ThrowsAsync<MySqlException>(() => fleet.Database.MigrateAsync(Stop));
        await fleet.Database.ExecuteSqlRawAsync("UPDATE __EFMigrationsProgress SET TextsBefore = REPEAT('0', 64)", Stop);
        var change = await Assert.ThrowsAsync<InvalidOperationException>(() => fleet.Database.MigrateAsync(Stop));
        Assert.Contains("of its commands, and these have changed since", change.Message);
        await fleet.Database.ExecuteSqlRawAsync("DROP TABLE Ports, Ships; DELETE FROM __EFMigrationsProgress", Stop);
        await fleet.Database.MigrateAsync(Stop);
        await IsComplete(fleet);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var fleet in _fleets)
        {
            await fleet.Database.EnsureDeletedAsync();
            await fleet.DisposeAsync();
        }
    }

    private static Task Migrate(Fleet fleet, bool asynchronously) =>
        asynchronously ? fleet.Database.MigrateAsync(Stop) : Task.Run(fleet.Database.Migrate, Stop);

    private static async Task IsComplete(Fleet fleet)
    {
        Assert.Equal(["20260201000001_Ships", "20260201000002_Last"], await fleet.Database.GetAppliedMigrationsAsync(Stop));
        Assert.Equal(["Crews", "Ports", "Ships", "__EFMigrationsHistory"], await Tables(fleet));
        Assert.Equal(
            ["1 Ark 8", "2 Boat 8"],
            await fleet.Database.SqlQuery<string>($"SELECT CONCAT(Id, ' ', Title, ' ', Masts) AS `Value` FROM Ships ORDER BY Id").ToListAsync(Stop));
        Assert.Equal(
            ["Masts", "PRIMARY", "Title"],
            await fleet.Database.SqlQuery<string>(
                $"""
                SELECT REPLACE(INDEX_NAME, 'IX_Ships_', '') AS `Value` FROM information_schema.STATISTICS
                WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Ships' ORDER BY 1
                """).ToListAsync(Stop));
    }

    private static async Task<string[]> Tables(Fleet fleet)
    {
        var tables = await fleet.Database.SqlQuery<string>(
            $"SELECT TABLE_NAME AS `Value` FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()").ToArrayAsync(Stop);
        Array.Sort(tables, StringComparer.Ordinal);
        return tables;
    }

    private async Task<Fleet> CreateAsync(ServerKind kind, params IInterceptor[] interceptors)
    {
        var text = await Servers.ConnectionString(kind, $"u_{Guid.NewGuid():N}");
        var fleet = new Fleet(Servers.Options<Fleet>().UseMySql(text).AddInterceptors(interceptors).Options);
        _fleets.Add(fleet);
        await fleet.GetService<Microsoft.EntityFrameworkCore.Storage.IRelationalDatabaseCreator>().CreateAsync(Stop);
        return fleet;
    }

    /// <summary>Ends the session at a command of a migration: before the server executes it, or afterwards.</summary>
    private sealed class Cut(int command, bool wasExecuted) : DbCommandInterceptor
    {
        private int _commands;

        public bool IsOver { get; set; }

        public bool HasHappened { get; private set; }

        public override InterceptionResult<int> NonQueryExecuting(DbCommand command, CommandEventData eventData, InterceptionResult<int> result)
        {
            Meet(command, isAfter: false);
            return result;
        }

        public override int NonQueryExecuted(DbCommand command, CommandExecutedEventData eventData, int result)
        {
            Meet(command, isAfter: true);
            return result;
        }

        public override ValueTask<InterceptionResult<int>> NonQueryExecutingAsync(
            DbCommand command, CommandEventData eventData, InterceptionResult<int> result, CancellationToken cancellationToken = default)
        {
            Meet(command, isAfter: false);
            return new(result);
        }

        public override ValueTask<int> NonQueryExecutedAsync(
            DbCommand command, CommandExecutedEventData eventData, int result, CancellationToken cancellationToken = default)
        {
            Meet(command, isAfter: true);
            return new(result);
        }

        private void Meet(DbCommand executed, bool isAfter)
        {
            if (IsOver || HasHappened || executed.CommandText.Contains("__EFMigrationsProgress", StringComparison.Ordinal)
                || executed.CommandText.Contains("CREATE TABLE IF NOT EXISTS", StringComparison.Ordinal)
                || executed.CommandText.StartsWith("COMMIT", StringComparison.Ordinal))
            {
                return;
            }

            if (isAfter == wasExecuted && _commands == command)
            {
                HasHappened = true;
                executed.Connection!.Close();
                throw new TimeoutException("The test has ended the session.");
            }

            _commands += isAfter ? 1 : 0;
        }
    }

    public sealed class Fleet(DbContextOptions<Fleet> options) : DbContext(options)
    {
        protected override void OnConfiguring(DbContextOptionsBuilder optionsBuilder) => optionsBuilder.ConfigureWarnings(
            static warnings => warnings.Ignore(RelationalEventId.PendingModelChangesWarning));
    }

    [DbContext(typeof(Fleet)), Migration("20260201000001_Ships")]
    public sealed class Ships : Migration
    {
        protected override void Up(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.CreateTable(
                "Ships", table => new { Id = table.Column<int>("int", nullable: false), Name = table.Column<string>("varchar(100)", nullable: false) },
                constraints: table => table.PrimaryKey("PK_Ships", row => row.Id));
            migrationBuilder.CreateIndex("IX_Ships_Name", "Ships", "Name");
            migrationBuilder.AddColumn<int>("Masts", "Ships", "int", nullable: false, defaultValue: 3);
            migrationBuilder.InsertData("Ships", ["Id", "Name", "Masts"], ["int", "varchar(100)", "int"], new object[,] { { 1, "Ark", 7 }, { 2, "Boat", 7 } });
            migrationBuilder.CreateTable(
                "Ports", table => new { Id = table.Column<int>("int", nullable: false) }, constraints: table => table.PrimaryKey("PK_Ports", row => row.Id));
            migrationBuilder.Sql("UPDATE Ships SET Masts = Masts + 1");
            migrationBuilder.RenameColumn("Name", "Ships", "Title");
            migrationBuilder.RenameIndex("IX_Ships_Name", "IX_Ships_Title", "Ships");
            migrationBuilder.CreateIndex("IX_Ships_Masts", "Ships", "Masts");
        }

        protected override void Down(MigrationBuilder migrationBuilder)
        {
            migrationBuilder.DropTable("Ports");
            migrationBuilder.DropIndex("IX_Ships_Masts", "Ships");
            migrationBuilder.DropTable("Ships");
        }
    }

    [DbContext(typeof(Fleet)), Migration("20260201000002_Last")]
    public sealed class Last : Migration
    {
        protected override void Up(MigrationBuilder migrationBuilder) => migrationBuilder.CreateTable(
            "Crews", table => new { Id = table.Column<int>("int", nullable: false) }, constraints: table => table.PrimaryKey("PK_Crews", row => row.Id));

        protected override void Down(MigrationBuilder migrationBuilder) => migrationBuilder.DropTable("Crews");
    }
}
