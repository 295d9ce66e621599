using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Query;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Temporal;

/// <summary>A set of entities in versions of the past.</summary>
internal sealed class TemporalQueryRootExpression : EntityQueryRootExpression
{
    public TemporalQueryRootExpression(IEntityType entityType, TemporalOperation operation)
        : base(entityType) => Operation = operation;

    public TemporalQueryRootExpression(IAsyncQueryProvider queryProvider, IEntityType entityType, TemporalOperation operation)
        : base(queryProvider, entityType) => Operation = operation;

    public TemporalOperation Operation { get; }

    public override Expression DetachQueryProvider() => new TemporalQueryRootExpression(EntityType, Operation);

    public override EntityQueryRootExpression UpdateEntityType(IEntityType entityType) => new TemporalQueryRootExpression(entityType, Operation);

    public override bool Equals(object? obj) => obj is TemporalQueryRootExpression other && base.Equals(other) && Operation == other.Operation;

    public override int GetHashCode() => HashCode.Combine(base.GetHashCode(), Operation);

    protected override void Print(ExpressionPrinter expressionPrinter)
    {
        base.Print(expressionPrinter);
        expressionPrinter.Append($".Temporal{Operation.Kind}({Operation.From:O}, {Operation.To:O})");
    }
}
