using System.Data;
using System.Net.Sockets;

namespace Slipstream.PostgreSql.Tests.Data;

/// <summary>Properties of parameters, commands and exceptions whose values are those of Npgsql.</summary>
public class FamiliarPropertyTests
{
    [Fact]
    public void A_parameter_returns_the_DbType_that_was_set()
    {
        foreach (var type in (DbType[])[DbType.VarNumeric, DbType.DateTimeOffset, DbType.AnsiString])
            Assert.Equal(type, new PgParameter { DbType = type }.Clone().DbType);
        Assert.Equal(DbType.Decimal, new PgParameter { DbType = DbType.VarNumeric, PgDbType = PgDbType.Numeric }.DbType);
        Assert.Equal(DbType.Currency, new PgParameter { PgDbType = PgDbType.Money }.DbType);
        Assert.Equal(DbType.String, new PgParameter { DataTypeName = "citext" }.DbType);
    }

    [Fact]
    public void What_a_parameter_cannot_know_without_the_database_has_no_name()
    {
        Assert.Null(new PgParameter("p", PgDbType.Range | PgDbType.Text).DataTypeName);
        Assert.Equal("int4range", new PgParameter("p", PgDbType.Range | PgDbType.Integer).DataTypeName);
        Assert.Equal("int4multirange[]", new PgParameter("p", PgDbType.Multirange | PgDbType.Integer | PgDbType.Array).DataTypeName);
        // An enumeration may be mapped.
        var day = new PgParameter("p", (object)DayOfWeek.Friday);
        Assert.Equal((DbType.Object, PgDbType.Unknown, null), (day.DbType, day.PgDbType, day.DataTypeName));
    }

    [Fact]
    public void A_command_reads_rows_back_into_a_data_row_by_default() =>
        Assert.Equal((UpdateRowSource.Both, UpdateRowSource.Both), (
            new PgCommand().UpdatedRowSource, new PgCommand("SELECT 1").UpdatedRowSource));

    [Fact]
    public void A_network_exception_makes_an_exception_transient()
    {
        Assert.True(new PgException("lost", new IOException()).IsTransient);
        Assert.True(new PgException("lost", new SocketException()).IsTransient);
        Assert.False(new PgException("wrong", new InvalidOperationException()).IsTransient);
    }
}
