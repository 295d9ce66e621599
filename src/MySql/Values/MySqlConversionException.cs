using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Errors;

namespace Slipstream.MySql;

/// <summary>A value of the server has no counterpart in the CLR type that was asked for, such as the date 0000-00-00 as a DateTime.</summary>
[SuppressMessage("Design", "CA1032:Implement standard exception constructors", Justification = "Only the provider makes it.")]
public sealed class MySqlConversionException : Exception
{
    internal MySqlConversionException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }

    /// <summary>The address of the page of the documentation that explains the error. It is found when it is first asked for.</summary>
    public override string? HelpLink
    {
        get => base.HelpLink ??= ErrorPages.LinkOf(this);
        set => base.HelpLink = value;
    }
}
