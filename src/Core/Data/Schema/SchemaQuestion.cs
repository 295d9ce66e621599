using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace Slipstream.Core.Data;

/// <summary>One call of <c>GetSchema</c>: the query, with the restrictions as parameters, and the table for the result.</summary>
internal sealed class SchemaQuestion
{
    private readonly SchemaCollection _collection;
    private readonly string?[] _restrictions;
    private readonly object?[] _row;

    /// <exception cref="ArgumentException">There are more restrictions than the collection has.</exception>
    [UnconditionalSuppressMessage(
        "Trimming", "IL2077", Justification = "The types are numbers, texts, times and enumerations: a column needs none of their fields and properties.")]
    public SchemaQuestion(SchemaCollection collection, string?[]? restrictionValues)
    {
        _collection = collection;
        _restrictions = restrictionValues ?? [];
        var known = collection.RestrictionList;
        if (_restrictions.Length > known.Count)
        {
            var takes = known.Count == 0 ? "no restrictions" : $"at most {known.Count} restrictions "
                + $"({string.Join(", ", known.Select(static one => one.Name))})";
            throw new ArgumentException(
                $"The schema collection '{collection.Name}' takes {takes}, but {_restrictions.Length} were given.", nameof(restrictionValues));
        }

        Table = new DataTable(collection.Name) { Locale = CultureInfo.InvariantCulture };
        foreach (var (name, type, _) in collection.Columns)
            Table.Columns.Add(name, type);
        _row = new object?[collection.Columns.Count];
    }

    public DataTable Table { get; }

    /// <summary>Creates the query; null if no query is needed and the table is complete.</summary>
    public DbCommand? Ask(ProviderConnection connection)
    {
        if (_collection.From is null)
        {
            foreach (var row in _collection.Rows!(connection))
                Table.Rows.Add(row);
            return null;
        }

        var command = connection.CreateCommand();
        command.Transaction = connection.CurrentTransaction;
        var text =
            new StringBuilder("SELECT ").AppendJoin(", ", _collection.Columns.Select(static one => one.Expression)).Append(" FROM ").Append(_collection.From);
        var and = " WHERE ";
        if (_collection.Where is { } always)
        {
            text.Append(and).Append(always);
            and = " AND ";
        }

        for (var i = 0; i < _restrictions.Length; i++)
        {
            // Null and empty values restrict nothing.
            if (string.IsNullOrEmpty(_restrictions[i]))
                continue;
            var parameter = command.CreateParameter();
            parameter.ParameterName = string.Create(CultureInfo.InvariantCulture, $"@restriction{i + 1}");
            parameter.Value = _restrictions[i];
            command.Parameters.Add(parameter);
            text.Append(and).Append(_collection.RestrictionList[i].Expression).Append(" = ").Append(parameter.ParameterName);
            and = " AND ";
        }

        if (_collection.OrderBy is { } order)
            text.Append(" ORDER BY ").Append(order);
#pragma warning disable CA2100 // The text is the collection's own; what the caller said are parameters.
        command.CommandText = text.ToString();
#pragma warning restore CA2100
        return command;
    }

    /// <summary>Adds the reader's current row. The table's columns convert values, because servers differ in the widths of their numbers.</summary>
    public void Add(DbDataReader reader)
    {
        for (var i = 0; i < _row.Length; i++)
        {
            var value = reader.GetValue(i);
            _row[i] = value is byte[] bytes ? Encoding.UTF8.GetString(bytes) : value;
        }

        Table.Rows.Add(_row);
    }

    public DataTable Answer()
    {
        Table.AcceptChanges();
        return Table;
    }
}
