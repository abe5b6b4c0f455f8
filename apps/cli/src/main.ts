// The command line of an installation: all commands of `lendloom`.

import { existsSync } from 'node:fs'
import '@lendloom/foundation/quick-imports.mjs'
import { run, runProcess, type Terminal } from './command-line.ts'
import { type Commands, completionOf, consoleCommands, machineCommands } from './commands.ts'
import { dotEnvFile } from './installation.ts'

export const commands: Commands = { ...consoleCommands, ...machineCommands, completion: completionOf(() => commands) }

/** Runs one command line. Returns its exit code: 0 success, 1 failure or failed check, 2 wrong usage. */
export const main = (argv: string[], terminal: Omit<Terminal, 'commands'>): Promise<number> =>
  run(argv, { ...terminal, commands })

export async function runCommandLine(): Promise<void> {
  if (existsSync(dotEnvFile)) process.loadEnvFile(dotEnvFile)
  await runProcess({ commands })
}

if (import.meta.main) await runCommandLine()
