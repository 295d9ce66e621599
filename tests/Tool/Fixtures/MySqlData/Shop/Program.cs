using System.Data;
using MySql.Data.MySqlClient;
using MySql.Data.Types;

namespace Shop
{
    public static class Program
    {
        public static void Main()
        {
            var factory = MySqlClientFactory.Instance;
            using var connection = new MySql.Data.MySqlClient.MySqlConnection("Server=localhost;User ID=app;Password=fixture-secret;SslMode=Disabled");
            using var adapter = new MySqlDataAdapter("SELECT created FROM product", connection);
            var table = new DataTable();
            adapter.Fill(table);
            var when = new MySqlDateTime(2026, 1, 2, 3, 4, 5, 0);
            Console.WriteLine($"{factory.GetType().Name} {table.Rows.Count} {when.GetDateTime()} {MySqlHelper.EscapeString("it's")}");
        }
    }
}
