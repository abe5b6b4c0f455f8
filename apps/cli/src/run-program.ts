// `lendloom run`: runs one program until it is stopped, as the image, its compose file and its chart do.
import { recordSpans } from '@lendloom/foundation/telemetry/start'
import { type CommandCall, command, requireArgument } from './command.ts'
import { type Program, programOf, programs } from './program-names.ts'

const entryOf: Record<Program, () => Promise<void>> = {
  platform: async () => (await import('@lendloom/platform/program')).runPlatform(),
  partner: async () => (await import('@lendloom/partner/program')).runPartner(),
  sandbox: async () => (await import('@lendloom/sandbox/program')).runSandbox(),
}

export const runProgram = command({
  name: 'run',
  summary: 'run one program with the settings of the environment',
  usage: `<${programs.join('|')}>`,
  options: {},
  async run({ args, env }: CommandCall<Record<never, never>>) {
    const name = programOf(requireArgument(args, 'the program'), programs, 'the program')
    await recordSpans(env, name)
    await entryOf[name]()
    return undefined
  },
})
