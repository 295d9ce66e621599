using Slipstream.Samples.Identity;

// ConnectionStrings__Users='Server=…;User ID=…;Password=…;Database=users' dotnet run --project samples/Identity
// POST /register, /login and /refresh, and GET /me with the token of a login, are the endpoints of ASP.NET Core Identity.
await using var app = UsersApp.Build(args);
await UsersApp.CreateTablesAsync(app);
await app.RunAsync();
