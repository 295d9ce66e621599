using System.Data;
using Microsoft.Extensions.Logging.Abstractions;

namespace Slipstream.PostgreSql.Tests.Data;

/// <summary>Members that exist for programs which were written for Npgsql.</summary>
public class MigratedMembersTests
{
    [Fact]
    public void A_builder_is_a_dictionary_of_the_options_that_are_set()
    {
        IDictionary<string, object?> builder = new PgConnectionStringBuilder("Host=h;Port=5433;SSL Mode=Require");
        Assert.Equal(["Host", "Port", "SSL Mode"], builder.Keys);
        Assert.Equal(["h", 5433, SslMode.Require], builder.Values);
        Assert.Equal([new("Host", "h"), new("Port", 5433), new("SSL Mode", SslMode.Require)], builder);
        // An option that is not set is not contained, even with its default.
        Assert.Equal(
            (true, false, false), (builder.Contains(new("port", 5433)), builder.Contains(new("Port", 5432)), builder.Contains(new("Timeout", 15))));
        builder.Add("Timeout", 3);
        builder.Add(new("Database", "d"));
        Assert.False(builder.Remove(new KeyValuePair<string, object?>("Port", 1)));
        Assert.True(builder.Remove(new KeyValuePair<string, object?>("Port", 5433)));
        var copy = new KeyValuePair<string, object?>[5];
        builder.CopyTo(copy, 1);
        Assert.Equal([default, new("Host", "h"), new("Database", "d"), new("SSL Mode", SslMode.Require), new("Timeout", 3)], copy);
        Assert.False(builder.IsReadOnly);
        Assert.Equal("Host=h;Database=d;SSL Mode=Require;Timeout=3", ((PgConnectionStringBuilder)builder).ConnectionString);
    }

    [Fact]
    public void A_parameter_takes_all_its_properties_in_the_order_of_Npgsql()
    {
        foreach (var parameter in (PgParameter[])
        [
            new("p", PgDbType.Numeric, 5, "column", ParameterDirection.InputOutput, true, 8, 2, DataRowVersion.Original, 1.5m),
            new("p", DbType.Decimal, 5, "column", ParameterDirection.InputOutput, true, 8, 2, DataRowVersion.Original, 1.5m),
        ])
        {
            Assert.Equal(
                ("p", PgDbType.Numeric, DbType.Decimal, 5, "column"),
                (parameter.ParameterName, parameter.PgDbType, parameter.DbType, parameter.Size, parameter.SourceColumn));
            Assert.Equal(
                (ParameterDirection.InputOutput, true, (byte)8, (byte)2, DataRowVersion.Original, 1.5m),
                (parameter.Direction, parameter.IsNullable, parameter.Precision, parameter.Scale, parameter.SourceVersion, (decimal)parameter.Value!));
        }
    }

    [Fact]
    public void A_parameter_knows_its_collection_and_moves_to_another()
    {
        using var first = new PgCommand();
        using var second = new PgCommand();
        var parameter = first.Parameters.AddWithValue("p", 1);
        Assert.Same(first.Parameters, parameter.Collection);
        parameter.Collection = second.Parameters;
        Assert.Empty(first.Parameters);
        Assert.Same(parameter, Assert.Single(second.Parameters));
        parameter.Collection = null;
        Assert.Empty(second.Parameters);
        Assert.Null(parameter.Collection);
    }

    [Fact]
    public void A_parameter_describes_its_type_if_that_is_built_in()
    {
        Assert.Equal("integer", new PgParameter("p", 1).PostgresType!.Name);
        Assert.Equal("jsonb", new PgParameter("p", PgDbType.Jsonb).PostgresType!.Name);
        Assert.Equal("timestamp with time zone[]", new PgParameter { DataTypeName = "timestamptz[]" }.PostgresType!.Name);
        Assert.Null(new PgParameter().PostgresType);
        Assert.Null(new PgParameter("p", PgDbType.Hstore).PostgresType);
        Assert.Null(new PgParameter { DataTypeName = "mood" }.PostgresType);
    }

    [Fact]
    public void A_slim_builder_builds_what_the_other_builds()
    {
        var builder = new PgSlimDataSourceBuilder("Host=127.0.0.1;Port=1;Username=u;Password=p;SSL Mode=VerifyFull") { Name = "slim" };
        Assert.Same(
            builder,
            builder.EnableArrays().EnableCube().EnableExtraConversions().EnableFullTextSearch().EnableGeometricTypes().EnableIntegratedSecurity()
                .EnableJsonTypes().EnableLTree().EnableMultiranges().EnableNetworkTypes().EnableRanges().EnableRecords().EnableRecordsAsTuples()
                .EnableTransportSecurity().EnableUnmappedTypes().MapEnum<DayOfWeek>("day").EnableParameterLogging().UseLoggerFactory(NullLoggerFactory.Instance)
                .ConfigureTypeLoading(static _ => { }).ConfigureTracing(static _ => { }));
        Assert.True(builder.UnmapEnum<DayOfWeek>("day"));
        Assert.False(builder.UnmapEnum<DayOfWeek>("day"));
        using var source = builder.Build();
        Assert.Equal("slim", source.PoolName);
        Assert.Equal("Host=127.0.0.1;Port=1;Username=u;SSL Mode=VerifyFull", source.ConnectionString);
    }

#pragma warning disable CS0618 // Obsolete, as in Npgsql.
    [Fact]
    public void Global_mappings_are_those_of_data_sources_that_are_created_later()
    {
        var global = PgConnection.GlobalTypeMapper;
        using var before = PgDataSource.Create("Host=h");
        global.MapEnum<Weather>("weather", new PgNullNameTranslator()).MapComposite<Place>();
        try
        {
            using var after = PgDataSource.Create("Host=h");
            using var built = new PgDataSourceBuilder("Host=h").MapEnum<Weather>("own").Build();
            Assert.DoesNotContain(before.Settings.TypeMappings.All, static mapping => mapping.ClrType == typeof(Weather));
            Assert.Equal("weather", Assert.Single(after.Settings.TypeMappings.All, static mapping => mapping.ClrType == typeof(Weather)).DataTypeName);
            Assert.Equal("place", Assert.Single(after.Settings.TypeMappings.All, static mapping => mapping.ClrType == typeof(Place)).DataTypeName);
            // The builder's own mapping comes last, and decides which type is sent.
            Assert.Equal(
                ["weather", "own"],
                built.Settings.TypeMappings.All.Where(static mapping => mapping.ClrType == typeof(Weather)).Select(static mapping => mapping.DataTypeName));
            Assert.True(global.UnmapEnum<Weather>("weather"));
            Assert.True(global.UnmapComposite<Place>());
            Assert.False(global.UnmapComposite<Place>());
        }
        finally
        {
            global.Reset();
        }
    }

    [Fact]
    public void A_type_without_a_server_is_refused_by_name()
    {
        var parameter = new PgParameter("p", PgDbType.Abstime);
        Assert.Equal("abstime", parameter.DataTypeName);
        Assert.Null(parameter.PostgresType);
    }
#pragma warning restore CS0618

    private enum Weather
    {
        Sunny,
    }

    private sealed class Place
    {
        public int X { get; set; }
    }
}
