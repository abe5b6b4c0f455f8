// The command line of the npm package: the commands that run on any machine.

import { runProcess } from './command-line.ts'
import { consoleCommands } from './commands.ts'

await runProcess({
  commands: consoleCommands,
  help: 'lendloom help; commands such as start and migrate run in an installation of Lendloom, with npx lendloom',
})
