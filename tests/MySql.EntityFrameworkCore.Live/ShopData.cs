namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>The rows of a shop: always the same.</summary>
public sealed class ShopData
{
    private static readonly string[] Cities = ["Bern", "Zürich", "Genève", "Lausanne 50%", "a_b", @"back\slash", "Bern"];

    public List<Customer> Customers { get; } = [];

    public List<Order> Orders { get; } = [];

    public List<Line> Lines { get; } = [];

    public List<Product> Products { get; } = [];

    public List<Tag> Tags { get; } = [];

    public static ShopData Create()
    {
        var random = new Random(7);
        var data = new ShopData();
        for (var i = 0; i < 5; i++)
            data.Tags.Add(new() { Id = i + 1, Text = $"tag {i}" });
        for (var i = 0; i < 20; i++)
            data.Products.Add(NewProduct(random, i, data.Tags));
        for (var i = 0; i < 12; i++)
            data.Customers.Add(new()
            {
                Id = new Guid(i, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8),
                Name = $"Customer {(char)('A' + i)}",
                City = i % 5 == 4 ? null : Cities[i % Cities.Length],
                Born = new DateOnly(1970, 1, 31).AddDays(i * 400),
            });
        for (var i = 0; i < 40; i++)
        {
            var customer = data.Customers[random.Next(10)];
            var order = new Order
            {
                Id = i + 1,
                CustomerId = customer.Id,
                Customer = customer,
                Placed = new DateTime(2024, 1, 31, 23, 59, 58).AddHours(i * 37).AddTicks(i * 10),
            };
            order.Shipped = i % 3 == 0 ? null : order.Placed.AddDays(1.5);
            customer.Orders.Add(order);
            data.Orders.Add(order);
            for (var number = 1; number <= random.Next(4); number++)
            {
                var product = data.Products[random.Next(data.Products.Count)];
                var line = new Line
                {
                    OrderId = order.Id, Number = number, ProductId = product.Id, Product = product,
                    Quantity = (short)random.Next(1, 9), Discount = random.Next(8) / 7f,
                };
                order.Lines.Add(line);
                data.Lines.Add(line);
            }
        }

        return data;
    }

    /// <summary>Adds the rows, with their keys, to a context.</summary>
    public void AddTo(Shop shop)
    {
        shop.Tags.AddRange(Tags);
        shop.Products.AddRange(Products);
        shop.Customers.AddRange(Customers);
        shop.Orders.AddRange(Orders);
    }

    private static Product NewProduct(Random random, int i, List<Tag> tags)
    {
        var product = new Product
        {
            Id = i + 1,
            Name = $"Café {i:00}{new string('x', i % 4)}",
            Price = (i * 1.25m) + 0.5m,
            Weight = i / 8.0,
            Lasts = TimeSpan.FromMinutes((i * 91) - 100) + TimeSpan.FromMicroseconds(i),
            From = new TimeOnly(6, 30).AddMinutes(i * 17),
            IsNew = i % 2 == 0,
            Grade = (Grade)(i % 3),
            Picture = i % 4 == 3 ? null : [(byte)i, 0, 255],
            Added = new DateTime(2020, 2, 29).AddDays(i),
            Changed = new DateTimeOffset(2021, 5, 6, 7, 8, 9, TimeSpan.Zero).AddHours(i),
            Big = ulong.MaxValue - (ulong)i,
        };
        product.NameLength = product.Name.Length;
        foreach (var tag in tags.Where(_ => random.Next(3) == 0))
        {
            product.Tags.Add(tag);
            tag.Products.Add(product);
        }

        return product;
    }
}
