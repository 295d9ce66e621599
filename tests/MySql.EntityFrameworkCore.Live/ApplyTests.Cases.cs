namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <content>The queries.</content>
public sealed partial class ApplyTests
{
    // ---------------------------------------------------------------- conditions that are not a key

    private static void Conditions()
    {
        Case("a key and an expression",
            t => t.Customers.SelectMany(c => t.Orders.Where(o => o.CustomerId == c.Id && o.Id % 3 == c.Name.Length % 3), (c, o) => new { c.Name, o.Id }));
        Case("a key and an expression, or nothing",
            t => t.Customers.SelectMany(
                c => t.Orders.Where(o => o.CustomerId == c.Id && o.Id % 3 == c.Born.Year % 3).DefaultIfEmpty(),
                (c, o) => new { c.Name, Id = o == null ? 0 : o.Id }));
        Case("a column of the outer row, with the name of the key",
            t => t.Lines.SelectMany(l => t.Lines.Where(m => m.OrderId == l.OrderId).Select(m => new { l.OrderId, l.Number })));
        Case("a text of both", t => t.Customers.SelectMany(
            c => t.Orders.Where(o => o.CustomerId == c.Id && (c.Name + o.Id).EndsWith('3')), (c, o) => new { c.Name, o.Id }));
        Case("an alternative", t => t.Customers.SelectMany(
            c => t.Orders.Where(o => o.CustomerId == c.Id || o.Id == c.Name.Length).DefaultIfEmpty(), (c, o) => new { c.Name, Id = o == null ? 0 : o.Id }));
        Case("a condition on the outer row alone", t => t.Customers.SelectMany(
            c => t.Orders.Where(o => o.CustomerId == c.Id && c.City != null).DefaultIfEmpty(), (c, o) => new { c.Name, Id = o == null ? 0 : o.Id }));
        Case("a nullable column with a nullable column", t => t.Orders.SelectMany(
            a => t.Orders.Where(b => b.Shipped == a.Shipped && b.Id + a.Id < 30).DefaultIfEmpty(), (a, b) => new { a.Id, Other = b == null ? 0 : b.Id }));
        Case("a subquery in the condition", t => t.Customers.SelectMany(
            c => t.Orders.Where(o => o.CustomerId == c.Id && o.Lines.Any(l => l.ProductId > c.Name.Length)), (c, o) => new { c.Name, o.Id }));
        Case("a column of the outer row", t => t.Customers.SelectMany(
            c => t.Orders.Where(o => o.CustomerId == c.Id && o.Id > 3).Select(o => new { c.Name, o.Id, Both = c.Name + o.Id }), (c, x) => x));
        Case("a column of the outer row, or nothing", t => t.Customers.SelectMany(
            c => t.Orders.Where(o => o.CustomerId == c.Id && o.Id > 13).Select(o => c.Name).DefaultIfEmpty(), (c, x) => new { c.Name, x }));
        Case("two levels", t => t.Customers.SelectMany(c => t.Orders.Where(o => o.CustomerId == c.Id && o.Id > c.Name.Length)
            .SelectMany(o => t.Lines.Where(l => l.OrderId == o.Id && l.Quantity > o.Id % 4 + c.Name.Length % 3).Select(l => new { l.Number, c.Name, o.Id }))));
        Case("an inner join on both", t => t.Customers.SelectMany(
            c => t.Orders.Where(o => o.CustomerId == c.Id).Join(t.Lines, o => o.Id, l => l.OrderId, (o, l) => new { o, l })
                .Where(x => x.l.Quantity > c.Name.Length % 5).Select(x => new { x.o.Id, x.l.Number, c.Name })));
        Case("rows with a greater value", t => t.Products.Where(p => p.Id < 8).SelectMany(
            p => t.Products.Where(other => other.Weight * 2 < p.Weight).OrderBy(other => other.Id).Take(2).DefaultIfEmpty(),
            (p, other) => new { p.Id, Other = other == null ? -1 : other.Id }));
    }

    // ---------------------------------------------------------------- one row

    private static void FirstRows()
    {
        Case("the first row by a key",
            t => t.Customers.Select(c => new { c.Name, First = c.Orders.OrderByDescending(o => o.Placed).Select(o => new { o.Id, o.Placed })
            .FirstOrDefault() }));
        Case("the first row by an expression", t => t.Customers.Select(c => new
            {
                c.Name,
                First = t.Orders.Where(o => o.CustomerId == c.Id && o.Id % 2 == c.Name.Length % 2).OrderByDescending(o => o.Placed)
                    .Select(o => new { o.Id, o.Placed, Both = c.Name + o.Id }).FirstOrDefault(),
            }));
        Case("the first row that is greater", t => t.Orders.Select(o => new
            {
                o.Id,
                Next = t.Orders.Where(other => other.CustomerId == o.CustomerId && other.Placed > o.Placed).OrderBy(other => other.Placed)
                    .Select(other => new { other.Id, other.Shipped }).FirstOrDefault(),
            }));
        Case("the first row of rows with lines", t => t.Customers.Select(c => new
            {
                c.Name,
                First = t.Lines.Where(l => t.Orders.Any(o => o.Id == l.OrderId && o.CustomerId == c.Id) && l.Quantity > c.Name.Length % 4)
                    .OrderBy(l => l.OrderId).ThenBy(l => l.Number)
                    .Select(l => new { l.OrderId, l.Number, l.Product.Name }).FirstOrDefault(),
            }));
        Case("the second row", t => t.Customers.Select(c => new
            {
                c.Name,
                Second = t.Orders.Where(o => o.CustomerId == c.Id && o.Id != c.Name.Length).OrderBy(o => o.Id).Skip(1)
                    .Select(o => new { o.Id, o.Placed }).FirstOrDefault(),
            }));
        Case("the first row of a first row", t => t.Customers.Select(c => new
            {
                c.Name,
                Line = c.Orders.OrderBy(o => o.Id).Select(o => o.Lines.OrderByDescending(l => l.Number).Select(l => new { l.OrderId, l.Number })
                    .FirstOrDefault())
                    .FirstOrDefault(),
            }));
        Case("a column of the outer row in the first row, or nothing", t => t.Customers.Select(c => new
            {
                c.Name, First = t.Orders.Where(o => o.CustomerId == c.Id && o.Id > 13 + c.Name.Length).OrderBy(o => o.Id).Select(o => new { c.City, c.Born })
                    .FirstOrDefault(),
            }));
        Case("the only row", t => t.Orders.Select(o => new
            {
                o.Id, Customer = t.Customers.Where(c => c.Id == o.CustomerId && c.Name != o.Id.ToString()).Select(c => new { c.Name, c.City })
                    .SingleOrDefault(),
            }));
    }

    // ---------------------------------------------------------------- collections

    private static void Collections()
    {
        Case("a collection with a column of the outer row", t => t.Customers.OrderBy(c => c.Name).Select(c => new
            {
                c.Name, Orders = c.Orders.OrderBy(o => o.Id).Select(o => new { o.Id, Full = c.Name + "/" + o.Id }).ToList(),
            }));
        Case("a collection with the column of the outer row that has the name of the key", t => t.Lines.Select(l => new
            {
                l.OrderId, l.Number,
                Others = t.Lines.Where(m => m.OrderId == l.OrderId && m.Number > 1).OrderBy(m => m.Number).Select(m => new { l.OrderId, m.Number }).ToList(),
            }));
        Case("a collection by a condition", t => t.Customers.Select(c => new
            {
                c.Name, Orders = t.Orders.Where(o => o.CustomerId == c.Id && o.Id > c.Name.Length).OrderByDescending(o => o.Id).Select(o => o.Id).ToList(),
            }));
        Case("the first rows of a collection", t => t.Customers.Select(c => new
            {
                c.Name, Orders = c.Orders.Where(o => o.Id != c.Name.Length).OrderBy(o => o.Placed).Skip(1).Take(2).Select(o => o.Id).ToList(),
            }));
        Case("the first rows of a collection by a condition", t => t.Customers.Select(c => new
            {
                c.Name, Orders = t.Orders.Where(o => o.Id > c.Name.Length && o.CustomerId != c.Id).OrderBy(o => o.Placed).Take(3).Select(o => o.Id).ToList(),
            }));
        Case("a collection of collections", t => t.Customers.Select(c => new
            {
                c.Name,
                Orders = c.Orders.OrderBy(o => o.Id).Take(2).Select(o => new
                {
                    o.Id, Lines = o.Lines.OrderBy(l => l.Number).Take(1).Select(l => new { l.Number, l.Product.Name, Whose = c.Name }).ToList(),
                }).ToList(),
            }));
        Case("a collection of the first rows of the outer rows", t => t.Customers.OrderBy(c => c.Name).Skip(1).Take(4).Select(c => new
            {
                c.Name, Orders = t.Orders.Where(o => o.CustomerId == c.Id && o.Id % 2 == c.Name.Length % 2).OrderBy(o => o.Id).Take(2)
                    .Select(o => o.Id).ToList(),
            }));
        Case("distinct values of a collection", t => t.Customers.Select(c => new
            {
                c.Name, Ids = t.Orders.Where(o => o.CustomerId == c.Id && o.Id > c.Name.Length).Select(o => o.Id).Distinct().OrderBy(id => id).ToList(),
            }));
        Case("the first distinct values", t => t.Orders.Select(o => new
            {
                o.Id, Numbers = o.Lines.Select(l => l.Quantity).Distinct().OrderByDescending(n => n).Take(2).ToList(),
            }));
        Case("groups of a collection", t => t.Customers.Select(c => new
            {
                c.Name, Months = c.Orders.GroupBy(o => o.Placed.Month).Select(g => new { g.Key, Count = g.Count(), Max = g.Max(o => o.Id) })
                    .OrderBy(g => g.Key).ToList(),
            }));
        Case("many to many", t => t.Tags.Select(tag => new
            {
                tag.Text, Products = tag.Products.Where(p => p.Id > tag.Text.Length).OrderByDescending(p => p.Id).Take(3).Select(p => p.Id).ToList(),
            }));
        Case("a union of collections", t => t.Customers.Select(c => new
            {
                c.Name,
                Ids = c.Orders.Where(o => o.Shipped == null).Select(o => o.Id).Union(c.Orders.Where(o => o.Id > 20).Select(o => o.Id))
                    .OrderBy(id => id).ToList(),
            }));
        Case("two collections", t => t.Orders.Select(o => new
            {
                o.Id,
                Lines = o.Lines.Where(l => l.Quantity > o.Id % 5).OrderBy(l => l.Number).Select(l => l.Number).ToList(),
                Others = t.Orders.Where(other => other.CustomerId == o.CustomerId && other.Id < o.Id).OrderByDescending(other => other.Id).Take(2)
                    .Select(other => other.Id)
                    .ToList(),
            }));
    }

    // ---------------------------------------------------------------- DISTINCT, GROUP BY, LIMIT and set operations in FROM

    private static void Parts()
    {
        Case("take",
            t => t.Customers.SelectMany(c => t.Orders.Where(o => o.CustomerId == c.Id && o.Placed > c.Born.ToDateTime(default)).OrderBy(o => o.Id).Take(2),
            (c, o) => new { c.Name, o.Id }));
        Case("take or nothing",
            t => t.Customers.SelectMany(c => c.Orders.Where(o => o.Id > c.Name.Length).OrderByDescending(o => o.Id).Take(2).DefaultIfEmpty(),
            (c, o) => new { c.Name, Id = o == null ? 0 : o.Id }));
        Case("distinct", t => t.Customers.SelectMany(c => c.Orders.Select(o => o.Placed.Month).Distinct(), (c, m) => new { c.Name, m }));
        Case("distinct by a condition", t => t.Customers.SelectMany(
            c => t.Orders.Where(o => o.Id < c.Name.Length).Select(o => o.Placed.Month).Distinct(), (c, m) => new { c.Name, m }));
        Case("groups",
            t => t.Customers.SelectMany(c => c.Orders.GroupBy(o => o.Placed.Month).Select(g => new { g.Key, Count = g.Count() }), (c, g) => new { c.Name, g }));
        Case("groups or nothing", t => t.Customers.SelectMany(
            c => c.Orders.Where(o => o.Id > 20).GroupBy(o => o.Placed.Month).Select(g => (int?)g.Count()).DefaultIfEmpty(), (c, n) => new { c.Name, n }));
        Case("distinct or nothing", t => t.Customers.SelectMany(
            c => c.Orders.Where(o => o.Id > 9).Select(o => (int?)o.Placed.Month).Distinct().DefaultIfEmpty(), (c, m) => new { c.Name, m }));
        Case("the first rows of rows by a condition on both", t => t.Customers.SelectMany(c => t.Orders.Where(o => o.CustomerId == c.Id).SelectMany(
            o => t.Lines.Where(l => l.OrderId == o.Id && l.Quantity > c.Born.Day % 4).OrderBy(l => l.Number).Take(1),
                (o, l) => new { c.Name, o.Id, l.Number })));
        Case("the largest groups", t => t.Customers.SelectMany(
            c => c.Orders.GroupBy(o => o.Placed.Month).Select(g => new { g.Key, Count = g.Count() }).OrderByDescending(g => g.Count).ThenBy(g => g.Key).Take(2),
            (c, g) => new { c.Name, g.Key, g.Count }));
        Case("groups by a condition", t => t.Tags.SelectMany(
            tag => t.Products.Where(p => p.Id % 5 < tag.Id).GroupBy(p => p.Grade).Select(g => new { g.Key, Sum = g.Sum(p => p.Id) }),
                (tag, g) => new { tag.Text, g.Key, g.Sum }));
        Case("groups with a condition", t => t.Customers.SelectMany(
            c => c.Orders.GroupBy(o => o.Placed.Month).Where(g => g.Count() > 1).Select(g => new { g.Key, Count = g.Count() }), (c, g) => new { c.Name, g }));
        Case("concat", t => t.Customers.SelectMany(
            c => c.Orders.Where(o => o.Id > 5).Select(o => o.Id).Concat(c.Orders.Where(o => o.Id < 9).Select(o => o.Id * 10)), (c, x) => new { c.Name, x }));
        Case("except", t => t.Customers.SelectMany(
            c => c.Orders.Select(o => o.Id).Except(t.Orders.Where(o => o.Id % 5 == c.Name.Length % 5).Select(o => o.Id)), (c, x) => new { c.Name, x }));
        Case("union with the outer row", t => t.Customers.SelectMany(
            c => c.Orders.Select(o => o.Id).Union(t.Tags.Where(tag => tag.Text != c.Name).Select(tag => (int)tag.Id)).OrderBy(x => x).Take(4),
                (c, x) => new { c.Name, x }));
        Case("a parameter as limit", t =>
            {
                var (skip, take) = (1, 2);
                return t.Customers.SelectMany(
                    c => t.Orders.Where(o => o.Id > c.Name.Length && o.CustomerId != c.Id).OrderBy(o => o.Id).Skip(skip).Take(take),
                        (c, o) => new { c.Name, o.Id });
            });
        Case("apply after apply", t => t.Customers.SelectMany(
                c => t.Orders.Where(o => o.CustomerId == c.Id && o.Id > c.Name.Length).OrderBy(o => o.Id).Take(2), (c, o) => new { c, o })
            .SelectMany(x => t.Lines.Where(l => l.OrderId == x.o.Id && l.Quantity > x.c.Name.Length % 3).OrderBy(l => l.Number).Take(1),
                (x, l) => new { x.c.Name, x.o.Id, l.Number }));
        Case("apply after apply, or nothing", t => t.Customers.SelectMany(
                c => t.Orders.Where(o => o.CustomerId == c.Id && o.Id % 4 == c.Name.Length % 4).OrderBy(o => o.Id).Take(2).DefaultIfEmpty(),
                    (c, o) => new { c, o })
            .SelectMany(x => t.Lines.Where(l => x.o != null && l.OrderId == x.o.Id && l.Quantity > x.c.Name.Length % 3).OrderBy(l => l.Number)
                .Take(1).DefaultIfEmpty(),
                (x, l) => new { x.c.Name, Order = x.o == null ? 0 : x.o.Id, Number = l == null ? 0 : l.Number }));
    }

    // ---------------------------------------------------------------- values

    private static void Values()
    {
        Case("count of the first rows", t => t.Customers.Select(c => new { c.Name, N = c.Orders.Take(3).Count() }));
        Case("count after the first rows",
            t => t.Customers.Select(c => new { c.Name, N = c.Orders.OrderBy(o => o.Id).Skip(1).Take(3).Count(), M = c.Orders.Skip(2).Count() }));
        Case("count of distinct values", t => t.Customers.Select(c => new { c.Name, N = c.Orders.Select(o => o.Placed.Month).Distinct().Count() }));
        Case("count of distinct nullable values", t => t.Customers.Select(c => new { c.Name, N = c.Orders.Select(o => o.Shipped).Distinct().Count() }));
        Case("count of distinct pairs",
            t => t.Customers.Select(c => new { c.Name, N = c.Orders.Select(o => new { o.Placed.Month, o.Shipped }).Distinct().Count() }));
        Case("count of groups", t => t.Customers.Select(c => new { c.Name, N = c.Orders.GroupBy(o => o.Placed.Month).Count() }));
        Case("sum of the first rows", t => t.Customers.Select(c => new { c.Name, N = c.Orders.OrderBy(o => o.Id).Take(2).Sum(o => o.Id) }));
        Case("extremes of the first rows", t => t.Customers.Select(c => new
            {
                c.Name, Max = c.Orders.OrderBy(o => o.Id).Take(2).Max(o => (int?)o.Id), Min = c.Orders.OrderByDescending(o => o.Placed).Take(2)
                    .Min(o => (DateTime?)o.Placed),
            }));
        Case("count of distinct values of the outer row", t => t.Customers.Select(c => new { c.Name, N = c.Orders.Select(o => c.City).Distinct().Count() }));
        Case("counts and sums with limits below zero", t =>
            {
                var (skip, take) = (-1, 2);
                return t.Customers.Select(c => new
                {
                    c.Name, N = c.Orders.Skip(skip).Take(take).Count(), M = c.Orders.Take(skip).Count(),
                    Sum = c.Orders.OrderBy(o => o.Id).Skip(skip).Take(take).Sum(o => o.Id),
                });
            }, isMariaDbOnly: true);
        Case("sum of distinct values", t => t.Customers.Select(c => new { c.Name, N = c.Orders.Select(o => o.Placed.Month).Distinct().Sum() }));
        Case("any of the first rows", t => t.Customers.Where(c => c.Orders.OrderBy(o => o.Id).Take(2).Any(o => o.Shipped == null)).Select(c => c.Name));
        Case("any after the first rows", t => t.Customers.Where(c => c.Orders.OrderBy(o => o.Id).Skip(4).Any()).Select(c => c.Name));
        Case("all of the first rows", t => t.Customers.Where(c => c.Orders.OrderBy(o => o.Id).Take(2).All(o => o.Id < 20)).Select(c => c.Name));
        Case("contained in the first rows",
            t => t.Orders.Where(o => o.Customer.Orders.OrderBy(x => x.Id).Take(2).Select(x => x.Id).Contains(o.Id)).Select(o => o.Id));
        Case("count of a union", t => t.Customers.Select(c => new
            {
                c.Name, N = c.Orders.Where(o => o.Shipped == null).Select(o => o.Id).Union(c.Orders.Where(o => o.Id > 20).Select(o => o.Id)).Count(),
            }));
        Case("sum of sums",
            t => t.Customers.Select(c => new { c.Name, N = c.Orders.OrderBy(o => o.Id).Take(3).Sum(o => o.Lines.OrderBy(l => l.Number).Take(1)
                .Sum(l => l.Quantity)) }));
        Case("a count of first rows in a condition of a group",
            t => t.Orders.GroupBy(o => o.Customer.City).Select(g => new { g.Key, N = g.Sum(o => o.Lines.Take(1).Count()) }));
        Case("a list of columns", t => t.Products.Select(p => new { p.Id, N = new[] { p.Id, p.NameLength, 7 }.Count(x => x > 6) }));
        Case("the distinct count of a list of columns", t => t.Products.Select(p => new { p.Id, N = new[] { p.Id, p.NameLength, 7 }.Distinct().Count() }));
        Case("ordered by the sum of first rows",
            t => t.Customers.OrderBy(c => c.Orders.OrderBy(o => o.Id).Take(2).Sum(o => o.Id)).ThenBy(c => c.Name).Take(5).Select(c => c.Name));
    }

    // ---------------------------------------------------------------- JSON

    private static void Lists()
    {
        Document("values", p => p.SelectMany(x => x.Numbers, (x, n) => new { x.Id, n }));
        Document("values by a condition", p => p.SelectMany(x => x.Numbers.Where(n => n > x.Least), (x, n) => new { x.Id, n }));
        Document("values by a condition, or nothing",
            p => p.SelectMany(x => x.Numbers.Where(n => n > x.Least).Select(n => (int?)n).DefaultIfEmpty(), (x, n) => new { x.Id, n }));
        Document("a text of a value, or nothing",
            p => p.SelectMany(x => x.Numbers.Where(n => n > x.Least).Select(n => x.Title + n).DefaultIfEmpty(), (x, n) => new { x.Id, n }));
        Document("the first values", p => p.SelectMany(x => x.Numbers.Take(2), (x, n) => new { x.Id, n }));
        Document("the second values", p => p.SelectMany(x => x.Numbers.Skip(1).Take(1), (x, n) => new { x.Id, n }));
        Document("the largest values", p => p.SelectMany(x => x.Numbers.OrderByDescending(n => n).Take(2), (x, n) => new { x.Id, n }));
        Document("distinct values", p => p.SelectMany(x => x.Numbers.Distinct(), (x, n) => new { x.Id, n }));
        Document("the number of distinct values", p => p.Select(x => new { x.Id, N = x.Numbers.Distinct().Count(), M = x.Words.Distinct().Count() }));
        Document("the number of first values", p => p.Select(x => new { x.Id, N = x.Numbers.Take(2).Count(), M = x.Numbers.Skip(1).Count() }));
        Document("the sum of first values",
            p => p.Select(x => new { x.Id, N = x.Numbers.Take(2).Sum(), M = x.Numbers.OrderByDescending(n => n).Take(2).Sum() }));
        Document("the sum of distinct values", p => p.Select(x => new { x.Id, N = x.Numbers.Distinct().Sum() }));
        Document("a union of values", p => p.Select(x => new { x.Id, N = x.Numbers.Union(x.Others).Count() }));
        Document("values in both", p => p.SelectMany(x => x.Numbers.Intersect(x.Others), (x, n) => new { x.Id, n }));
        Document("values not in the other", p => p.Where(x => x.Numbers.Except(x.Others).Any()).Select(x => x.Id));
        Document("all values", p => p.SelectMany(x => x.Numbers.Concat(x.Others), (x, n) => new { x.Id, n }));
        Document("lists of values", p => p.Select(x => new { x.Id, Numbers = x.Numbers.Where(n => n > x.Least).OrderBy(n => n).ToList() }));
        Document("papers of values",
            p => p.SelectMany(x => x.Numbers, (x, n) => new { x.Id, n }).Join(p, a => a.n, b => b.Id, (a, b) => new { a.Id, b.Title }));
        Document("values with papers",
            p => p.SelectMany(x => x.Numbers.Join(p, n => n, other => other.Id, (n, other) => other.Title), (x, title) => new { x.Id, title }));
        Document("values with papers, or nothing", p => p.SelectMany(
            x => x.Numbers.Join(p, n => n, other => other.Id, (n, other) => other.Title).DefaultIfEmpty(), (x, title) => new { x.Id, title }));
        Document("owned elements", p => p.SelectMany(x => x.Parts.Where(a => a.Amount > x.Least), (x, a) => new { x.Id, a.Name, a.Amount }));
        Document("the first owned elements", p => p.SelectMany(x => x.Parts.OrderByDescending(a => a.Amount).Take(1), (x, a) => new { x.Id, a.Name }));
        Document("elements of elements",
            p => p.SelectMany(x => x.Parts.SelectMany(a => a.Pieces, (a, b) => new { a.Name, b.Size }), (x, y) => new { x.Id, y.Name, y.Size }));
        Document("a pair of an element",
            p => p.Select(x => new { x.Id, First = x.Parts.OrderByDescending(a => a.Amount).Select(a => new { a.Name, a.Amount }).FirstOrDefault() }));
        Document("groups of elements",
            p => p.SelectMany(x => x.Parts.GroupBy(a => a.Name).Select(g => new { g.Key, N = g.Sum(a => a.Amount) }), (x, g) => new { x.Id, g.Key, g.N }));
        Document("any of the first values", p => p.Where(x => x.Numbers.Take(2).Any(n => n > 2)).Select(x => x.Id));
        Document("contained in the first values", p => p.Where(x => x.Numbers.Take(2).Contains(x.Id)).Select(x => x.Id));
        Document("a value at a position after a filter", p => p.Select(x => new { x.Id, N = x.Numbers.Where(n => n > 1).Skip(1).FirstOrDefault() }));
        Document("values of a row, twice",
            p => p.SelectMany(x => x.Numbers.Where(n => n > x.Least).Take(2), (x, n) => new { x, n }).SelectMany(y => y.x.Others.Distinct(),
                (y, m) => new { y.x.Id, y.n, m }));
    }
}
