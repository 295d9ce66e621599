using System.ComponentModel;
using Slipstream.Core.Data;

namespace Slipstream.Core.Options;

/// <summary>Describes an option to a property grid: name, heading, description, default, and whether it is a password.</summary>
/// <param name="option">The option.</param>
/// <param name="group">The option's group, whose title is the heading.</param>
internal sealed class OptionPropertyDescriptor(Option option, OptionGroup group) : PropertyDescriptor(option.Name, AttributesOf(option, group))
{
    private object Default => option.ValueOf(option.DefaultText);

    public override Type ComponentType => typeof(OptionConnectionStringBuilder);

    public override bool IsReadOnly => false;

    public override Type PropertyType => Default.GetType();

    public override bool CanResetValue(object component) => Builder(component).ContainsKey(Name);

    public override object GetValue(object? component) => Builder(component)[Name];

    public override void ResetValue(object component) => Builder(component).Remove(Name);

    public override void SetValue(object? component, object? value) => Builder(component)[Name] = value;

    public override bool ShouldSerializeValue(object component) => Builder(component).ContainsKey(Name);

    private static OptionConnectionStringBuilder Builder(object? component) =>
        component as OptionConnectionStringBuilder ?? throw new ArgumentException("The component is not a connection-string builder.", nameof(component));

    private static Attribute[] AttributesOf(Option option, OptionGroup group) =>
    [
        new CategoryAttribute(group.Title),
        new DescriptionAttribute(option.Doc),
        new DisplayNameAttribute(option.Name),
        new DefaultValueAttribute(option.ValueOf(option.DefaultText)),
        new PasswordPropertyTextAttribute(option.IsSecret),
        RefreshPropertiesAttribute.All,
    ];
}
