using System.Reflection;

namespace Slipstream.Race.Scenarios;

/// <summary>
/// Methods that ADO.NET's abstract types do not have. They are found by their public names; delegates make a call cost the same for every provider.
/// </summary>
internal static class ProviderMethods
{
    /// <summary>Binds a method to <paramref name="target"/>.</summary>
    /// <typeparam name="TDelegate">The delegate, whose parameters are those of the method.</typeparam>
    /// <param name="target">The provider's object.</param>
    /// <param name="name">The method's name.</param>
    /// <param name="typeArgument">The type argument of a generic method; null for another method.</param>
    /// <exception cref="NotSupportedException">The provider does not have the method.</exception>
    public static TDelegate Bind<TDelegate>(object target, string name, Type? typeArgument = null)
        where TDelegate : Delegate
    {
        var wanted = typeof(TDelegate).GetMethod("Invoke")!.GetParameters().Select(parameter => parameter.ParameterType).ToArray();
        foreach (var method in target.GetType().GetMethods())
        {
            if (method.Name != name || method.IsGenericMethodDefinition != typeArgument is not null || method.GetParameters().Length != wanted.Length)
                continue;
            var bound = typeArgument is null ? method : method.MakeGenericMethod(typeArgument);
            if (bound.GetParameters().Select(parameter => parameter.ParameterType).SequenceEqual(wanted))
                return bound.CreateDelegate<TDelegate>(target);
        }

        throw new NotSupportedException($"{target.GetType().Name} has no method {name}");
    }

    /// <summary>Sets a property of a provider's object, such as <c>DataTypeName</c> of a parameter.</summary>
    public static void Set(object target, string property, object value) =>
        (target.GetType().GetProperty(property, BindingFlags.Public | BindingFlags.Instance) ??
            throw new NotSupportedException($"{target.GetType().Name} has no property {property}")).SetValue(target, value);
}
