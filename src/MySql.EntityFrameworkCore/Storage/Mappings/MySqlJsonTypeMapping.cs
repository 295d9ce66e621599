using System.Data.Common;
using System.Linq.Expressions;
using System.Reflection;
using System.Text;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Maps owned and complex types to json, as one document.</summary>
public sealed class MySqlJsonTypeMapping : JsonTypeMapping
{
    private static readonly Expression<Func<DbDataReader, string>> Read = static reader => reader.GetString(0);

    // EF Core reads documents from a MemoryStream of UTF-8.
    private static readonly Expression<Func<string, MemoryStream>> Encode = static text => new MemoryStream(Encoding.UTF8.GetBytes(text));

    private readonly bool _noBackslashEscapes;

    /// <summary>Creates a mapping.</summary>
    /// <param name="storeType">The name of the type in the database.</param>
    /// <param name="noBackslashEscapes">Whether the server's SQL mode has NO_BACKSLASH_ESCAPES.</param>
    public MySqlJsonTypeMapping(string storeType, bool noBackslashEscapes = false)
        : base(storeType, typeof(JsonTypePlaceholder), System.Data.DbType.String) => _noBackslashEscapes = noBackslashEscapes;

    private MySqlJsonTypeMapping(RelationalTypeMappingParameters parameters, bool noBackslashEscapes)
        : base(parameters) => _noBackslashEscapes = noBackslashEscapes;

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    public static MySqlJsonTypeMapping Default { get; } = new("json");

    /// <inheritdoc/>
    public override MethodInfo GetDataReaderMethod() => ((MethodCallExpression)Read.Body).Method;

    /// <inheritdoc/>
    public override Expression CustomizeDataReaderExpression(Expression expression) =>
        ReplacingExpressionVisitor.Replace(Encode.Parameters[0], expression, Encode.Body);

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) => new MySqlJsonTypeMapping(parameters, _noBackslashEscapes);

    /// <inheritdoc/>
    protected override void ConfigureParameter(DbParameter parameter)
    {
        base.ConfigureParameter(parameter);
        if (parameter?.Value is string text)
            parameter.Value = JsonTexts.WithoutEscapes(text);
    }

    /// <inheritdoc/>
    protected override string GenerateNonNullSqlLiteral(object value) =>
        MySqlStringTypeMapping.Literal(JsonTexts.WithoutEscapes((string)value), _noBackslashEscapes);
}
