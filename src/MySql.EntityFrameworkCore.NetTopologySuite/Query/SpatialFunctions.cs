using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using NetTopologySuite.Geometries;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Query;

/// <summary>Makes calls of spatial functions.</summary>
internal sealed class SpatialFunctions(ISqlExpressionFactory factory, IRelationalTypeMappingSource mappings, IMySqlSpatialCapabilities capabilities)
{
    private static readonly string[] SingleTypes = ["POINT", "LINESTRING", "POLYGON"];

    public ISqlExpressionFactory Factory => factory;

    public IMySqlSpatialCapabilities Capabilities => capabilities;

    /// <summary>A function that returns NULL if one of its arguments is NULL.</summary>
    public SqlExpression Call(string name, Type type, params SqlExpression[] arguments) => factory.Function(
        name, arguments.Select(Mapped), nullable: true, Enumerable.Repeat(true, arguments.Length), type, mappings.FindMapping(type));

    /// <summary>The geometry with the same X and Y, but without a reference system, with whose first axis ST_X and ST_AsText of MySQL begin.</summary>
    public SqlExpression Flat(SqlExpression geometry) => capabilities.ReferenceSystems ? WithSrid(geometry, 0) : geometry;

    /// <summary>The geometry with the same X and Y in another reference system.</summary>
    public SqlExpression WithSrid(SqlExpression geometry, int srid) => Call("ST_SRID", geometry.Type, geometry, factory.Constant(srid));

    // MariaDB takes ST_NumGeometries for never NULL, and leaves COALESCE out.
    /// <summary>One value for a point, a line or a polygon, and another for collections.</summary>
    public SqlExpression UnlessSingle(SqlExpression geometry, SqlExpression single, SqlExpression collection) => factory.Case(
        Call("ST_GeometryType", typeof(string), geometry),
        [.. SingleTypes.Select(type => new CaseWhenClause(factory.Constant(type), single))], collection);

    /// <summary>The place of an item, which SQL counts from 1.</summary>
    public SqlExpression Next(SqlExpression index) =>
        index is SqlConstantExpression { Value: int number } ? factory.Constant(number + 1) : factory.Add(index, factory.Constant(1));

    /// <summary>A geometry of the program has the mapping of its own class: the other operand may be of another.</summary>
    public SqlExpression Mapped(SqlExpression argument) => argument switch
    {
        { TypeMapping: not null } => argument,
        { Type: var type } when type.IsAssignableTo(typeof(LinearRing)) => factory.ApplyTypeMapping(argument, mappings.FindMapping(typeof(LineString))),
        { Type: var type } when type.IsAssignableTo(typeof(Geometry)) => factory.ApplyTypeMapping(argument, mappings.FindMapping(type)),
        _ => factory.ApplyDefaultTypeMapping(argument),
    };
}
