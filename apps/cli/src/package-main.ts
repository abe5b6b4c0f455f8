// The command line of the npm package: the commands that run on any machine.
import { consoleCommands } from './commands.ts'
import { runProcess } from './run.ts'

await runProcess({
  commands: consoleCommands,
  help: 'lendloom help; commands such as start and migrate run in an installation of Lendloom, with npx lendloom',
})
