using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Design;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Microsoft.EntityFrameworkCore.Scaffolding;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.Extensions.DependencyInjection;
using NetTopologySuite.Geometries;
using Slipstream.Lab;
using Slipstream.MySql.EntityFrameworkCore.Scaffolding;
using Slipstream.MySql.EntityFrameworkCore.Spatial.Design;

namespace Slipstream.MySql.EntityFrameworkCore.Live.Spatial;

/// <summary>Migrations and scaffolding of spatial columns and indexes.</summary>
public sealed class GeometryDesignTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task Seeds_and_defaults_are_literals_and_columns_are_read_back(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new Map(options),
        async open =>
        {
            await using var map = open();
            var marks = await map.Marks.AsNoTracking().OrderBy(static m => m.Id).ToListAsync(Stop);
            Assert.Equal(
                ["1 POINT (13.4 52.5) 4326 MULTIPOINT ((1 1), (2 3)) 0", "2 POINT (-1 -2) 4326  "],
                marks.Select(static m => $"{m.Id} {m.Location} {m.Location.SRID} {m.Spots} {m.Spots?.SRID}"));
            var place = MySqlGeometry.FromWkb(4326, Atlas.Point(1, 2).AsBinary());
            await map.Database.ExecuteSqlAsync($"INSERT INTO Marks (Id, Location) VALUES (3, {place.Value})", Stop);
            Assert.Equal("POINT (7 8)", (await map.Marks.SingleAsync(static m => m.Id == 3, Stop)).Center!.AsText());

            var model = new MySqlDatabaseModelFactory().Create(map.Database.GetConnectionString()!, new DatabaseModelFactoryOptions());
            var table = Assert.Single(model.Tables, static table => table.Name == "Marks");
            Assert.Equal(
                ["Id int", "Location point", "Center point", "Spots multipoint", "Outline geometry", "Everything geometrycollection"],
                table.Columns.Select(static column => $"{column.Name} {column.StoreType}"));
            Assert.Equal(kind == ServerKind.MySql ? 4326 : null, table.Columns.Single(static c => c.Name == "Location")["MySql:SpatialReferenceSystemId"]);
            Assert.True(Assert.Single(table.Indexes)["MySql:SpatialIndex"] is true);
        },
        static mySql => mySql.UseNetTopologySuite());

    [Theory, MemberData(nameof(Kinds))]
    public Task The_scaffolded_columns_and_indexes_are_those_of_the_model(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new Map(options),
        async open =>
        {
            await using var map = open();
            var differ = map.GetService<IMigrationsModelDiffer>();
            var design = map.GetService<IDesignTimeModel>().Model.GetRelationalModel();
            var services = new ServiceCollection().AddEntityFrameworkDesignTimeServices();
            new MySqlNetTopologySuiteDesignTimeServices().ConfigureDesignTimeServices(services);
            new Slipstream.MySql.EntityFrameworkCore.Design.MySqlDesignTimeServices().ConfigureDesignTimeServices(services);
            await using var provider = services.BuildServiceProvider();
            await using var scope = provider.CreateAsyncScope();
            var database = scope.ServiceProvider.GetRequiredService<IDatabaseModelFactory>()
                .Create(map.Database.GetConnectionString()!, new DatabaseModelFactoryOptions());
            var scaffolded = scope.ServiceProvider.GetRequiredService<IScaffoldingModelFactory>().Create(database, new ModelReverseEngineerOptions());
            // Names of constraints and default values are the server's, and only MySQL knows the reference system; otherwise, columns and indexes are the same.
            Assert.DoesNotContain(differ.GetDifferences(scaffolded.GetRelationalModel(), design), operation => operation switch
            {
                AlterColumnOperation alter => alter.ColumnType != alter.OldColumn.ColumnType || alter.IsNullable != alter.OldColumn.IsNullable
                    || (kind == ServerKind.MySql
                        && alter["MySql:SpatialReferenceSystemId"] as int? != alter.OldColumn["MySql:SpatialReferenceSystemId"] as int?),
                AddColumnOperation or DropColumnOperation or CreateIndexOperation or DropIndexOperation or RenameIndexOperation => true,
                _ => false,
            });
            Assert.Contains(
                differ.GetDifferences(null, scaffolded.GetRelationalModel()).OfType<CreateTableOperation>().Single(static t => t.Name == "Marks").Columns,
                static column => column.ColumnType == "point");
            var create = differ.GetDifferences(null, design).OfType<CreateIndexOperation>().Single();
            var sql = string.Concat(map.GetService<IMigrationsSqlGenerator>().Generate([create], map.Model).Select(static c => c.CommandText));
            Assert.Equal("CREATE SPATIAL INDEX `IX_Marks_Location` ON `Marks` (`Location`);", sql.Trim());
        },
        static mySql => mySql.UseNetTopologySuite());

    [Fact]
    public void Design_time_services_map_columns_and_write_the_option()
    {
        var services = new ServiceCollection();
        new MySqlNetTopologySuiteDesignTimeServices().ConfigureDesignTimeServices(services);
        new Slipstream.MySql.EntityFrameworkCore.Design.MySqlDesignTimeServices().ConfigureDesignTimeServices(services);
        using var provider = services.BuildServiceProvider();
        using var scope = provider.CreateScope();
        var source = scope.ServiceProvider.GetRequiredService<IRelationalTypeMappingSource>();
        Assert.Equal(
            [typeof(Geometry), typeof(Point), typeof(MultiPolygon), typeof(GeometryCollection), typeof(GeometryCollection), null],
            ((string[])["geometry", "point", "multipolygon", "geometrycollection", "geomcollection", "curve"]).Select(
                name => source.FindMapping(name)?.ClrType));
        Assert.Null(source.FindMapping(typeof(Polygon), "point"));
        Assert.Equal("geometry", source.FindMapping(typeof(Polygon), "geometry")!.StoreType);
        var plugin = Assert.Single(scope.ServiceProvider.GetServices<IProviderCodeGeneratorPlugin>());
        Assert.Equal("UseNetTopologySuite", plugin.GenerateProviderOptions()!.Method);
        var generator = scope.ServiceProvider.GetRequiredService<IProviderConfigurationCodeGenerator>();
        var code = generator.GenerateUseProvider("Server=x", plugin.GenerateProviderOptions());
        Assert.Equal("UseMySql", code.Method);
        Assert.Equal(2, code.Arguments.Count);
    }

    [Fact]
    public void Snapshots_create_geometries_from_their_texts()
    {
        using var map = new Map(
            Servers.Options().UseMySql("Server=x;Database=x", MySqlVersion, static mySql => mySql.UseNetTopologySuite()).Options);
        var mapping = map.GetService<IRelationalTypeMappingSource>().FindMapping(typeof(Point))!;
        var written = Expression.Lambda<Func<Point>>(mapping.GenerateCodeLiteral(Atlas.Point(13.4, 52.5, 4326))).Compile()();
        Assert.Equal("POINT (13.4 52.5) 4326", $"{written} {written.SRID}");
        Assert.Equal("X'E61000000101000000CDCCCCCCCCCC2A400000000000404A40'", mapping.GenerateSqlLiteral(Atlas.Point(13.4, 52.5, 4326)));
        Assert.Equal("NULL", mapping.GenerateSqlLiteral(null));
    }

    private static MySqlServerVersion MySqlVersion => new(new Version(9, 7, 4));

    private sealed class Map(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Mark> Marks => Set<Mark>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Mark>(static mark =>
        {
            mark.Property(static m => m.Id).ValueGeneratedNever();
            mark.Property(static m => m.Location).HasSpatialReferenceSystem(4326);
            mark.Property(static m => m.Center).HasDefaultValue(Atlas.Point(7, 8));
            mark.HasIndex(static m => m.Location).IsSpatial();
            mark.HasData(
                new Mark { Id = 1, Location = Atlas.Point(13.4, 52.5, 4326), Spots = (MultiPoint)Atlas.Read("MULTIPOINT ((1 1), (2 3))") },
                new Mark { Id = 2, Location = Atlas.Point(-1, -2, 4326) });
        });
    }

    private sealed class Mark
    {
        public int Id { get; set; }

        public required Point Location { get; set; }

        public Point? Center { get; set; }

        public MultiPoint? Spots { get; set; }

        public Geometry? Outline { get; set; }

        public GeometryCollection? Everything { get; set; }
    }
}
