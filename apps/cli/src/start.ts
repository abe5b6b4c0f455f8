// `lendloom start`, which is also `npm start`: runs the database and all programs until interrupted.
import { type CommandCall, command } from './command.ts'
import { launch } from './start/launch.ts'

const options = {
  logs: { type: 'boolean', about: 'print the programs’ logs instead of writing files' },
  watch: { type: 'boolean', about: 'restart the programs when a source file changes' },
} as const

export const start = command({
  name: 'start',
  summary: 'run everything until interrupted',
  usage: '[--logs] [--watch]',
  options,
  async run({ options: { logs = false, watch = false }, json, env }: CommandCall<typeof options>) {
    await launch({ logs, watch, json, env })
    return undefined
  },
})
