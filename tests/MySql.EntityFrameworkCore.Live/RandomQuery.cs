using System.Linq.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Two numbers of a row, which are equal if both are.</summary>
public sealed record Pair
{
    public int A { get; init; }

    public int B { get; init; }
}

/// <summary>
/// Composes queries that join each customer with rows of its own: a source of rows, some operators, and how the query uses them. The same number composes the
/// same query.
/// </summary>
public sealed class RandomQuery(Tables t, int number)
{
    private readonly Random _random = new(number);
    private readonly ParameterExpression _customer = Expression.Parameter(typeof(Customer), "c");
    private bool _isCombined;

    /// <summary>Returns the query; its rows are text.</summary>
    public IQueryable<Answer> Compose()
    {
        var rows = Rows(2);
        var use = _random.Next(8);
        // EF Core takes a column that is the key on both sides of a set operation for the key of all its rows, and leaves rows of a collection out.
        return (use == 6 && _isCombined ? 0 : use) switch
        {
            0 => Many(rows),
            1 => Many(Then(rows, (c, xs) => xs.DefaultIfEmpty()!)),
            2 => One(rows, (c, xs) => new Answer { Name = c.Name, A = xs.Count(), B = 0 }),
            3 => One(rows, (c, xs) => new Answer { Name = c.Name, A = xs.Sum(x => x.A), B = xs.Any(x => x.B > 2) ? 1 : 0 }),
            4 => One(rows, (c, xs) => new Answer { Name = c.Name, A = xs.Max(x => (int?)x.A), B = xs.Min(x => (int?)x.B) }),
            5 => One(
                Then(rows, (c, xs) => xs.OrderByDescending(x => x.A).ThenBy(x => x.B)),
                (c, xs) => new Answer { Name = c.Name, First = xs.Select(x => new Pair { A = x.A, B = x.B }).FirstOrDefault() }),
            6 => One(
                Then(rows, (c, xs) => xs.OrderBy(x => x.A).ThenBy(x => x.B)),
                (c, xs) => new Answer { Name = c.Name, Rows = xs.Select(x => new Pair { A = x.A + c.Born.Month, B = x.B }).ToList() }),
            _ => t.Customers.Where(Apply(rows, (c, xs) => xs.Any())).Select(c => new Answer { Name = c.Name }),
        };
    }

    private IQueryable<Answer> Many(Expression rows) => t.Customers.SelectMany(
        Expression.Lambda<Func<Customer, IEnumerable<Pair>>>(rows, _customer),
        (c, x) => new Answer { Name = c.Name, A = x == null ? null : x.A, B = x == null ? null : x.B });

    private IQueryable<Answer> One(Expression rows, Expression<Func<Customer, IEnumerable<Pair>, Answer>> select) => t.Customers.Select(Apply(rows, select));

    private Expression Rows(int depth)
    {
        var rows = Source();
        for (var count = _random.Next(1, 4); count > 0; count--)
            rows = Step(rows, depth);
        return rows;
    }

    private Expression Source() => _random.Next(7) switch
    {
        0 => Body(c => c.Orders.Select(o => new Pair { A = o.Id, B = o.Placed.Month })),
        1 => Body(c => t.Orders.Where(o => o.CustomerId == c.Id && o.Id % 3 != c.Born.Day % 3).Select(o => new Pair { A = o.Id, B = o.Placed.Day })),
        2 => Body(c => t.Products.Where(p => p.Id < c.Born.Month).Select(p => new Pair { A = p.Id, B = p.NameLength })),
        3 => Body(c => c.Orders.SelectMany(o => o.Lines).Select(l => new Pair { A = l.ProductId, B = l.Quantity })),
        4 => Body(c => t.Tags.Select(tag => new Pair { A = (int)tag.Id, B = tag.Text.Length + ((int)tag.Id % 2) })),
        5 => Body(c => t.Orders.Where(o => o.Customer.City == c.City && o.Id > 9).Select(o => new Pair { A = o.Id, B = (o.Id % 4) + c.Born.Month })),
        _ => Body(c => t.Products.Where(p => p.Tags.Any(tag => tag.Id > c.Born.Month % 5)).Select(p => new Pair { A = p.Id, B = p.NameLength + c.Born.Day })),
    };

    private Expression Step(Expression rows, int depth) => _random.Next(depth > 0 ? 14 : 9) switch
    {
        0 => Then(rows, (c, xs) => xs.Where(x => x.A > c.Born.Month % 7)),
        1 => Then(rows, (c, xs) => xs.Where(x => x.B != 3)),
        2 => Then(rows, (c, xs) => xs.Where(x => x.A % 2 == c.Born.Day % 2)),
        3 => Then(rows, (c, xs) => xs.OrderBy(x => x.A).ThenBy(x => x.B).Take(3)),
        4 => Then(rows, (c, xs) => xs.OrderByDescending(x => x.B).ThenBy(x => x.A).Skip(1).Take(4)),
        5 => Then(rows, (c, xs) => xs.Select(x => new Pair { A = x.B, B = x.B % 2 }).Distinct()),
        6 => Then(rows, (c, xs) => xs.GroupBy(x => x.B).Select(g => new Pair { A = g.Key, B = g.Count() })),
        7 => Then(rows, (c, xs) => xs.GroupBy(x => x.B).Where(g => g.Count() > 1).Select(g => new Pair { A = g.Sum(x => x.A), B = g.Key })),
        8 => Then(rows, (c, xs) => xs.Select(x => new Pair { A = x.A + c.Born.Month, B = x.B })),
        9 => Combined(rows, Rows(depth - 1), (c, xs, ys) => xs.Concat(ys)),
        10 => Combined(rows, Rows(depth - 1), (c, xs, ys) => xs.Union(ys)),
        11 => Combined(rows, Rows(depth - 1), (c, xs, ys) => xs.Except(ys)),
        12 => With(rows, Rows(depth - 1), (c, xs, ys) => xs.Where(x => ys.Any(y => y.A == x.A))),
        _ => Then(rows, (c, xs) => xs.SelectMany(
            x => t.Lines.Where(l => l.ProductId == x.A && l.Quantity > x.B % 4).OrderBy(l => l.OrderId).ThenBy(l => l.Number).Take(2)
                .Select(l => new Pair { A = l.OrderId, B = l.Quantity + c.Born.Month }))),
    };

    private Expression Body(Expression<Func<Customer, IEnumerable<Pair>>> source) => Replace(source.Body, source.Parameters[0], _customer);

    private Expression Then(Expression rows, Expression<Func<Customer, IEnumerable<Pair>, IEnumerable<Pair>>> step) =>
        Replace(Replace(step.Body, step.Parameters[0], _customer), step.Parameters[1], rows);

    private Expression With(Expression rows, Expression others, Expression<Func<Customer, IEnumerable<Pair>, IEnumerable<Pair>, IEnumerable<Pair>>> step) =>
        Replace(Replace(Replace(step.Body, step.Parameters[0], _customer), step.Parameters[1], rows), step.Parameters[2], others);

    private Expression Combined(Expression rows, Expression others, Expression<Func<Customer, IEnumerable<Pair>, IEnumerable<Pair>, IEnumerable<Pair>>> step)
    {
        _isCombined = true;
        return With(rows, others, step);
    }

    private Expression<Func<Customer, TResult>> Apply<TResult>(Expression rows, Expression<Func<Customer, IEnumerable<Pair>, TResult>> use) =>
        Expression.Lambda<Func<Customer, TResult>>(
            Replace(Replace(use.Body, use.Parameters[0], _customer), use.Parameters[1], rows), _customer);

    private static Expression Replace(Expression body, Expression sought, Expression replacement) => new Replacer(sought, replacement).Visit(body)!;

    private sealed class Replacer(Expression sought, Expression replacement) : ExpressionVisitor
    {
        public override Expression? Visit(Expression? node) => node == sought ? replacement : base.Visit(node);
    }
}

/// <summary>A row of a random query.</summary>
public sealed record Answer
{
    public string Name { get; init; } = "";

    public int? A { get; init; }

    public int? B { get; init; }

    public Pair? First { get; init; }

    public List<Pair>? Rows { get; init; }
}
