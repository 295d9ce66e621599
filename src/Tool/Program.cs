using Slipstream.Tool.Commands;

return await ToolProgram.RunAsync(args, Console.Out, Console.Error, Console.In, Console.IsOutputRedirected);
