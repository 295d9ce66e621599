using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Design;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Scaffolding;

namespace Slipstream.MySql.EntityFrameworkCore.Design;

/// <summary>Writes the call of UseMySql into a context that is scaffolded.</summary>
internal sealed class MySqlCodeGenerator(ProviderCodeGeneratorDependencies dependencies) : ProviderCodeGenerator(dependencies)
{
    private static readonly MethodInfo UseMySql = ((Use)MySqlDbContextOptionsBuilderExtensions.UseMySql).Method;

    private delegate DbContextOptionsBuilder Use(
        DbContextOptionsBuilder optionsBuilder, string? connectionString, Action<MySqlDbContextOptionsBuilder>? mySqlOptionsAction);

    public override MethodCallCodeFragment GenerateUseProvider(string connectionString, MethodCallCodeFragment? providerOptions) => new(
        UseMySql, providerOptions is null ? [connectionString] : [connectionString, new NestedClosureCodeFragment("x", providerOptions)]);
}
