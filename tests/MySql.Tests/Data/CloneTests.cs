using System.Net.Security;

namespace Slipstream.MySql.Tests.Data;

public sealed class CloneTests
{
    private const string Server = "Server=db.example;User ID=somebody;Password=secret;Database=one";

    [Fact]
    public void A_clone_has_the_options_and_the_callbacks()
    {
        using var connection = new MySqlConnection(Server)
        {
            ProvidePasswordCallback = static _ => "other",
            ProvideClientCertificatesCallback = static _ => default,
            RemoteCertificateValidationCallback = static (_, _, _, errors) => errors == SslPolicyErrors.None,
        };
        using var clone = connection.Clone();
        Assert.NotSame(connection, clone);
        Assert.Equal(Server, clone.ConnectionString);
        Has(connection, clone);
        using var same = (MySqlConnection)((ICloneable)connection).Clone();
        Assert.Equal(Server, same.ConnectionString);
        using var with = connection.CloneWith("Server=db.example;User ID=somebody;Database=two");
        Has(connection, with);
        var options = new MySqlConnectionStringBuilder(with.ConnectionString);
        Assert.Equal(("two", "secret"), (options.Database, options.Password));

        static void Has(MySqlConnection expected, MySqlConnection actual)
        {
            Assert.Same(expected.ProvidePasswordCallback, actual.ProvidePasswordCallback);
            Assert.Same(expected.ProvideClientCertificatesCallback, actual.ProvideClientCertificatesCallback);
            Assert.Same(expected.RemoteCertificateValidationCallback, actual.RemoteCertificateValidationCallback);
        }
    }

    [Fact]
    public void A_clone_is_of_the_same_data_source()
    {
        using var source = new MySqlDataSource(Server);
        using var connection = source.CreateConnection();
        using var clone = connection.Clone();
        Assert.Same(source, clone.MySqlSource);
        Assert.DoesNotContain("secret", clone.ConnectionString);
        // Another string means another data source.
        using var with = connection.CloneWith("Server=db.example;User ID=somebody;Database=two");
        Assert.NotSame(source, with.MySqlSource);
        Assert.Equal(("two", "secret"), (with.MySqlSource.Settings.Database, with.MySqlSource.Settings.Password));
    }

    [Fact]
    public void Another_string_keeps_the_callbacks_of_the_data_source()
    {
        RemoteCertificateValidationCallback judge = static (_, _, _, _) => false;
        using var source = new MySqlDataSourceBuilder(Server)
            .UseRemoteCertificateValidationCallback(judge)
            .UsePeriodicPasswordProvider(static (_, _) => new("periodic"), TimeSpan.FromMinutes(1), TimeSpan.FromSeconds(1))
            .Build();
        using var connection = source.CreateConnection();
        using var with = connection.CloneWith("Server=db.example;User ID=somebody;Database=two");
        Assert.Same(judge, with.RemoteCertificateValidationCallback);
        Assert.Same(source.Callbacks.Credentials, with.Callbacks.Credentials);
    }

    [Theory]
    [InlineData("Server=db.example;User ID=somebody", "secret")]
    [InlineData("Server=db.example;User ID=somebody;Password=own", "own")]
    // A connection string that asks to show secrets must contain the password itself.
    [InlineData("Server=db.example;User ID=somebody;Persist Security Info=true", "")]
    public void The_password_is_taken_over_unless_that_would_show_it(string wanted, string password)
    {
        using var connection = new MySqlConnection(Server);
        using var with = connection.CloneWith(wanted);
        Assert.Equal(password, new MySqlConnectionStringBuilder(with.ConnectionString).Password);
        using var shows = new MySqlConnection(Server + ";Persist Security Info=true");
        using var too = shows.CloneWith(wanted);
        Assert.Equal(password.Length == 0 ? "secret" : password, new MySqlConnectionStringBuilder(too.ConnectionString).Password);
    }

    [Fact]
    public void A_password_that_is_not_shown_any_more_is_not_shown_by_a_clone()
    {
        using var source = new MySqlDataSource(Server);
        using var connection = source.CreateConnection();
        Assert.DoesNotContain("secret", connection.ConnectionString);
        using var with = connection.CloneWith("Server=db.example;User ID=somebody;Database=two");
        Assert.DoesNotContain("secret", with.ConnectionString);
        using var clone = with.Clone();
        Assert.DoesNotContain("secret", clone.ConnectionString);
    }

    [Fact]
    public void A_clone_with_a_string_that_is_none_fails()
    {
        using var connection = new MySqlConnection(Server);
        Assert.Throws<ArgumentNullException>(() => connection.CloneWith(null!));
        Assert.Throws<ArgumentException>(() => connection.CloneWith("No Such Option=1"));
    }
}
