namespace Pomelo.EntityFrameworkCore.MySql.Infrastructure;

/// <summary>What happens to schemas, which MySQL and MariaDB do not have: there, a schema is a database.</summary>
public enum MySqlSchemaBehavior
{
    /// <summary>A model with a schema is refused.</summary>
    Throw = 0,

    /// <summary>Schemas are left out.</summary>
    Ignore = 1,

    /// <summary>A function makes one name of the schema's and the object's.</summary>
    Translate = 2,
}

/// <summary>Makes one name of a schema's and an object's.</summary>
/// <param name="schemaName">The schema's name.</param>
/// <param name="objectName">The object's name.</param>
/// <returns>The name in the database.</returns>
public delegate string MySqlSchemaNameTranslator(string schemaName, string objectName);
