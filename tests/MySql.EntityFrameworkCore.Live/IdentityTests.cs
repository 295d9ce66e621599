using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Identity;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;
using Slipstream.Lab;
using Slipstream.Samples.Identity;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>ASP.NET Core Identity keeps its users in the database: the sample, over HTTP.</summary>
public sealed class IdentityTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public async Task Users_register_log_in_and_are_locked_out(ServerKind kind)
    {
        var connectionString = await Servers.ConnectionString(kind, "identity");
        await using var app = UsersApp.Build(
            ["--urls", "http://127.0.0.1:0", "--ConnectionStrings:Users", connectionString, "--Logging:LogLevel:Default", "None"], Servers.ManyProviders);
        await UsersApp.CreateTablesAsync(app);
        await app.StartAsync(Stop);
        try
        {
            using var client = new HttpClient { BaseAddress = AddressOf(app) };
            Assert.Equal(HttpStatusCode.OK, await PostAsync(client, "/register", "ada@example.com", "Analytical-1"));
            Assert.Equal(HttpStatusCode.BadRequest, await PostAsync(client, "/register", "ADA@example.com", "Analytical-2"));
            Assert.Equal(HttpStatusCode.OK, await PostAsync(client, "/register", "bob@example.com", "Builder-1"));
            Assert.Equal(HttpStatusCode.Unauthorized, await GetAsync(client, "/me", null));

            var tokens = await LogInAsync(client, "ada@example.com", "Analytical-1");
            Assert.Equal("ada@example.com", await (await SendAsync(client, "/me", tokens.Access)).Content.ReadAsStringAsync(Stop));
            var refreshed = await client.PostAsJsonAsync("/refresh", new { refreshToken = tokens.Refresh }, Stop);
            Assert.Equal(HttpStatusCode.OK, refreshed.StatusCode);

            Assert.Equal(HttpStatusCode.Forbidden, await GetAsync(client, "/staff", tokens.Access));
            await MakeStaffAsync(app, "ada@example.com");
            tokens = await LogInAsync(client, "ada@example.com", "Analytical-1");
            Assert.Equal(HttpStatusCode.OK, await GetAsync(client, "/staff", tokens.Access));

            for (var attempt = 0; attempt < 3; attempt++)
                Assert.Equal(HttpStatusCode.Unauthorized, await PostAsync(client, "/login", "bob@example.com", "wrong"));
            Assert.Equal(HttpStatusCode.Unauthorized, await PostAsync(client, "/login", "bob@example.com", "Builder-1"));
            await using var scope = app.Services.CreateAsyncScope();
            var users = scope.ServiceProvider.GetRequiredService<UsersDb>();
            Assert.True(await users.Users.Where(static u => u.UserName == "bob@example.com").AllAsync(static u => u.LockoutEnd > DateTimeOffset.UtcNow, Stop));
            var staff = users.UserRoles.Join(users.Users, static role => role.UserId, static user => user.Id, static (role, user) => user.Email);
            Assert.Equal(["ada@example.com"], await staff.ToListAsync(Stop));
        }
        finally
        {
            await using var scope = app.Services.CreateAsyncScope();
            await scope.ServiceProvider.GetRequiredService<UsersDb>().Database.EnsureDeletedAsync(Stop);
        }
    }

    // A change by a manager that read the user before is refused: the concurrency stamp.
    [Theory, MemberData(nameof(Kinds))]
    public async Task Managers_see_conflicts_and_delete_users_with_all_that_is_theirs(ServerKind kind)
    {
        var connectionString = await Servers.ConnectionString(kind, "managers");
        await using var app = UsersApp.Build(["--ConnectionStrings:Users", connectionString, "--Logging:LogLevel:Default", "None"], Servers.ManyProviders);
        await UsersApp.CreateTablesAsync(app);
        try
        {
            await using (var scope = app.Services.CreateAsyncScope())
            {
                var manager = scope.ServiceProvider.GetRequiredService<UserManager<IdentityUser>>();
                var user = new IdentityUser("eve") { Email = "eve@example.com" };
                Assert.True((await manager.CreateAsync(user, "Some-thing-1")).Succeeded);
                Assert.True((await manager.AddClaimAsync(user, new("colour", "blue"))).Succeeded);
                Assert.True((await manager.AddLoginAsync(user, new("other", "key", "Other"))).Succeeded);
                Assert.True((await manager.SetAuthenticationTokenAsync(user, "other", "name", "value")).Succeeded);
            }

            await MakeStaffAsync(app, "eve@example.com");
            await using var first = app.Services.CreateAsyncScope();
            await using var second = app.Services.CreateAsyncScope();
            var one = first.ServiceProvider.GetRequiredService<UserManager<IdentityUser>>();
            var other = second.ServiceProvider.GetRequiredService<UserManager<IdentityUser>>();
            var (mine, theirs) = (await one.FindByLoginAsync("other", "key"), await other.FindByNameAsync("EVE"));
            Assert.True((await one.SetPhoneNumberAsync(mine!, "1")).Succeeded);
            Assert.Equal("ConcurrencyFailure", (await other.SetPhoneNumberAsync(theirs!, "2")).Errors.Single().Code);
            Assert.Equal("blue", (await one.GetClaimsAsync(mine!)).Single().Value);
            Assert.Equal(["eve"], (await one.GetUsersForClaimAsync(new("colour", "blue"))).Select(static u => u.UserName));
            Assert.Equal(["eve"], (await one.GetUsersInRoleAsync("staff")).Select(static u => u.UserName));
            Assert.True((await one.DeleteAsync(mine!)).Succeeded);
            var users = first.ServiceProvider.GetRequiredService<UsersDb>();
            Assert.Equal((0, 0, 0, 0), (
                await users.UserClaims.CountAsync(Stop), await users.UserLogins.CountAsync(Stop), await users.UserTokens.CountAsync(Stop),
                await users.UserRoles.CountAsync(Stop)));
        }
        finally
        {
            await using var scope = app.Services.CreateAsyncScope();
            await scope.ServiceProvider.GetRequiredService<UsersDb>().Database.EnsureDeletedAsync(Stop);
        }
    }

    // The servers' default collations ignore accents and case.
    [Theory, MemberData(nameof(Kinds))]
    public async Task Users_are_found_by_their_own_names_and_logins_only(ServerKind kind)
    {
        var connectionString = await Servers.ConnectionString(kind, "logins");
        await using var app = UsersApp.Build(["--ConnectionStrings:Users", connectionString, "--Logging:LogLevel:Default", "None"], Servers.ManyProviders);
        await UsersApp.CreateTablesAsync(app);
        await using var scope = app.Services.CreateAsyncScope();
        try
        {
            var manager = scope.ServiceProvider.GetRequiredService<UserManager<IdentityUser>>();
            var (ada, other) = (new IdentityUser("ada@example.com"), new IdentityUser("\u00E0da@example.com"));
            manager.Options.User.AllowedUserNameCharacters = "";
            foreach (var user in (IdentityUser[])[ada, other])
            {
                user.Email = user.UserName;
                Assert.True((await manager.CreateAsync(user)).Succeeded);
            }

            Assert.Equal(ada, await manager.FindByEmailAsync("Ada@example.com"));
            Assert.Equal(other, await manager.FindByNameAsync("\u00C0DA@example.com"));
            Assert.Null(await manager.FindByEmailAsync("\u00E4da@example.com"));
            Assert.True((await manager.AddLoginAsync(ada, new("other", "kEy", "Other"))).Succeeded);
            Assert.True((await manager.AddLoginAsync(other, new("other", "KeY", "Other"))).Succeeded);
            Assert.Equal(other, await manager.FindByLoginAsync("other", "KeY"));
            Assert.Null(await manager.FindByLoginAsync("other", "key"));
        }
        finally
        {
            await scope.ServiceProvider.GetRequiredService<UsersDb>().Database.EnsureDeletedAsync(Stop);
        }
    }

    private static Uri AddressOf(WebApplication app) =>
        new(app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single());

    private static async Task MakeStaffAsync(WebApplication app, string email)
    {
        await using var scope = app.Services.CreateAsyncScope();
        var roles = scope.ServiceProvider.GetRequiredService<RoleManager<IdentityRole>>();
        Assert.True((await roles.CreateAsync(new("staff"))).Succeeded);
        var users = scope.ServiceProvider.GetRequiredService<UserManager<IdentityUser>>();
        Assert.True((await users.AddToRoleAsync((await users.FindByEmailAsync(email))!, "staff")).Succeeded);
    }

    private static async Task<(string Access, string Refresh)> LogInAsync(HttpClient client, string email, string password)
    {
        var answer = await client.PostAsJsonAsync("/login", new { email, password }, Stop);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        var tokens = await answer.Content.ReadFromJsonAsync<JsonElement>(Stop);
        return (tokens.GetProperty("accessToken").GetString()!, tokens.GetProperty("refreshToken").GetString()!);
    }

    private static async Task<HttpStatusCode> PostAsync(HttpClient client, string path, string email, string password) =>
        (await client.PostAsJsonAsync(path, new { email, password }, Stop)).StatusCode;

    private static async Task<HttpStatusCode> GetAsync(HttpClient client, string path, string? token) => (await SendAsync(client, path, token)).StatusCode;

    private static Task<HttpResponseMessage> SendAsync(HttpClient client, string path, string? token)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, path);
        if (token is not null)
            request.Headers.Authorization = new("Bearer", token);
        return client.SendAsync(request, Stop);
    }
}
