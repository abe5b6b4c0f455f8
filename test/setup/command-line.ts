// `lendloom …` as a person types it, beside a platform of a test.
import assert from 'node:assert/strict'
import { main } from '#cli/main.ts'

export interface CommandResult {
  code: number
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  data: any
  errorOutput: string
}

/** Runs command lines in this environment: `run` gives what came of one, `done` the data of one that must succeed. */
export function commandLine(env: NodeJS.ProcessEnv) {
  const run = async (...argv: string[]): Promise<CommandResult> => {
    const [printed, complaints]: [string[], string[]] = [[], []]
    const code = await main(argv, {
      env,
      print: (line) => void printed.push(line),
      complain: (line) => void complaints.push(line),
    })
    const [text, errorOutput] = [printed.join('\n'), complaints.join('\n')]
    return { code, text, errorOutput, data: argv.includes('--json') && text !== '' ? JSON.parse(text) : null }
  }
  const runJson = async (...argv: string[]): Promise<CommandResult['data']> => {
    const ran = await run(...argv, '--json')
    assert.deepEqual([ran.code, ran.errorOutput], [0, ''], argv.join(' '))
    return ran.data
  }
  /** The exit code of a command line that fails, and what it complains of. */
  const runFailing = async (...argv: string[]): Promise<[code: number, errorOutput: string]> => {
    const { code, errorOutput } = await run(...argv)
    return [code, errorOutput]
  }
  return { run, runJson, runFailing }
}

/** What the command line needs of a platform's environment. */
export const keysAndAddressOf = ({ config }: { config: { PUBLIC_URL: string; LENDLOOM_KEYS: string } }) => ({
  PUBLIC_URL: config.PUBLIC_URL,
  LENDLOOM_KEYS: config.LENDLOOM_KEYS,
})
