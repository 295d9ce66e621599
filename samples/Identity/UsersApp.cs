using System.Security.Claims;
using Microsoft.AspNetCore.Identity;
using Microsoft.AspNetCore.Identity.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore;

namespace Slipstream.Samples.Identity;

/// <summary>A web application whose users ASP.NET Core Identity keeps in MySQL or MariaDB.</summary>
public static class UsersApp
{
    /// <summary>Builds the application. The connection string "Users" is in its configuration.</summary>
    /// <param name="args">The command line, which is part of the configuration.</param>
    /// <param name="configure">Sets more options of the context.</param>
    public static WebApplication Build(string[] args, Action<DbContextOptionsBuilder>? configure = null)
    {
        var builder = WebApplication.CreateBuilder(args);
        builder.Services.AddDbContext<UsersDb>(options =>
        {
            options.UseMySql(builder.Configuration.GetConnectionString("Users"));
            configure?.Invoke(options);
        });
        builder.Services.AddAuthorization();
        builder.Services.AddIdentityApiEndpoints<IdentityUser>(static options => options.Lockout.MaxFailedAccessAttempts = 3)
            .AddRoles<IdentityRole>().AddEntityFrameworkStores<UsersDb>();
        var app = builder.Build();
        app.MapIdentityApi<IdentityUser>();
        app.MapGet("/me", static (ClaimsPrincipal user) => user.Identity!.Name).RequireAuthorization();
        app.MapGet("/staff", static () => "staff only").RequireAuthorization(static policy => policy.RequireRole("staff"));
        return app;
    }

    /// <summary>Creates the tables. An application that you maintain uses migrations instead.</summary>
    public static async Task CreateTablesAsync(WebApplication app)
    {
        await using var scope = app.Services.CreateAsyncScope();
        await scope.ServiceProvider.GetRequiredService<UsersDb>().Database.EnsureCreatedAsync();
    }
}

/// <summary>The tables of Identity.</summary>
public class UsersDb(DbContextOptions<UsersDb> options) : IdentityDbContext<IdentityUser, IdentityRole, string>(options)
{
    /// <inheritdoc/>
    protected override void OnModelCreating(ModelBuilder builder)
    {
        base.OnModelCreating(builder);
        // Identity compares names in upper case, and keys of external logins exactly. The servers' default collations ignore accents and case.
        builder.UseCollation("utf8mb4_bin");
    }
}
