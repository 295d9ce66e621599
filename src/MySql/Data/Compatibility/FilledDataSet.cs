using System.Data;
using System.Globalization;

namespace Slipstream.MySql;

/// <summary>Builds a data set from result sets, with the table names that a data adapter uses. Data adapters have no asynchronous fill.</summary>
internal sealed class FilledDataSet
{
    private readonly List<DataTable> _tables = [];
    private object[] _row = [];

    /// <summary>Begins a table for the reader's result set.</summary>
    public void Begin(MySqlDataReader reader)
    {
        var number = _tables.Count;
        var table = new DataTable(number == 0 ? "Table" : string.Create(CultureInfo.InvariantCulture, $"Table{number}"));
        _row = new object[reader.FieldCount];
        for (var i = 0; i < _row.Length; i++)
            table.Columns.Add(FreeName(table, reader.GetName(i)), reader.GetFieldType(i));
        table.BeginLoadData();
        _tables.Add(table);
    }

    /// <summary>Adds the reader's current row.</summary>
    public void Add(MySqlDataReader reader)
    {
        reader.GetValues(_row);
        _tables[^1].LoadDataRow(_row, fAcceptChanges: true);
    }

    /// <summary>Returns the data set.</summary>
    public DataSet End()
    {
        var data = new DataSet();
        foreach (var table in _tables)
        {
            table.EndLoadData();
            data.Tables.Add(table);
        }

        return data;
    }

    private static string FreeName(DataTable table, string name)
    {
        var stem = name.Length == 0 ? "Column" : name;
        var free = name.Length == 0 ? "Column1" : name;
        for (var i = name.Length == 0 ? 2 : 1; table.Columns.Contains(free); i++)
            free = string.Create(CultureInfo.InvariantCulture, $"{stem}{i}");
        return free;
    }
}
