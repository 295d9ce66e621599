using System.Reflection;
using System.Runtime.CompilerServices;

namespace Slipstream.Architecture.Api;

/// <summary>
/// Checks which shipped packages may use the internal members of another. Programs of this repository that test or measure may use them, too.
/// </summary>
public class Friends
{
    [Theory]
    [InlineData("Slipstream.Core", new[] { "Slipstream.MySql", "Slipstream.PostgreSql" })]
    [InlineData("Slipstream.MySql", new string[0])]
    [InlineData("Slipstream.MySql.Caching", new string[0])]
    [InlineData("Slipstream.MySql.EntityFrameworkCore", new string[0])]
    [InlineData("Slipstream.MySql.EntityFrameworkCore.Hosting", new string[0])]
    [InlineData("Slipstream.MySql.EntityFrameworkCore.NetTopologySuite", new string[0])]
    [InlineData("Slipstream.MySql.Extensions", new string[0])]
    [InlineData("Slipstream.PostgreSql", new string[0])]
    [InlineData("Slipstream.PostgreSql.Caching", new string[0])]
    [InlineData("Slipstream.PostgreSql.Extensions", new string[0])]
    [InlineData("Slipstream.PostgreSql.NetTopologySuite", new string[0])]
    [InlineData("Slipstream.PostgreSql.NodaTime", new string[0])]
    [InlineData("Slipstream.PostgreSql.Pgvector", new string[0])]
    public void Of_the_packages_only_the_drivers_use_what_is_internal_and_only_to_the_core(string package, string[] expected) =>
        Assert.Equal(
            expected,
            Assembly.Load(package).GetCustomAttributes<InternalsVisibleToAttribute>().Select(static friend => friend.AssemblyName)
                .Where(ShippedPackages.Names.Contains).Order(StringComparer.Ordinal));

    [Fact]
    public void A_class_with_members_of_the_drivers_own_cannot_be_derived_from() =>
        Report.Empty(
            from type in Assembly.Load("Slipstream.Core").GetExportedTypes()
            where type is { IsAbstract: true, IsSealed: false, IsInterface: false }
            from constructor in type.GetConstructors(BindingFlags.Instance | BindingFlags.NonPublic)
            where constructor.IsFamily || constructor.IsFamilyOrAssembly
            select $"{type.FullName} has a protected constructor: make it private protected");
}
