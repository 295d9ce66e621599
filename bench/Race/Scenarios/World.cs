namespace Slipstream.Race.Scenarios;

/// <summary>A row of TechEmpower's table <c>world</c>, which the races of processes read.</summary>
internal readonly record struct World(int Id, int RandomNumber);
