using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Errors;

namespace Slipstream.MySql;

/// <summary>The requested CLR type cannot represent a value of the server, such as the date 0000-00-00 as a DateTime.</summary>
[SuppressMessage("Design", "CA1032:Implement standard exception constructors", Justification = "Only the provider makes it.")]
public sealed class MySqlConversionException : Exception
{
    internal MySqlConversionException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }

    /// <summary>Gets or sets the address of the documentation page that explains the error. The driver looks up the page at the first access.</summary>
    public override string? HelpLink
    {
        get => base.HelpLink ??= ErrorPages.LinkOf(this);
        set => base.HelpLink = value;
    }
}
