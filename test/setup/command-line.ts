// `lendloom …` as a person types it, beside a platform of a test.
import assert from 'node:assert/strict'
import { main } from '#cli/main.ts'

export interface Ran {
  code: number
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  data: any
  complaint: string
}

/** Runs command lines in this environment: `run` gives what came of one, `done` the data of one that must succeed. */
export function commandLine(env: NodeJS.ProcessEnv) {
  const run = async (...argv: string[]): Promise<Ran> => {
    const [printed, complaints]: [string[], string[]] = [[], []]
    const code = await main(argv, {
      env,
      print: (line) => void printed.push(line),
      complain: (line) => void complaints.push(line),
    })
    const [text, complaint] = [printed.join('\n'), complaints.join('\n')]
    return { code, text, complaint, data: argv.includes('--json') && text !== '' ? JSON.parse(text) : null }
  }
  const done = async (...argv: string[]): Promise<Ran['data']> => {
    const ran = await run(...argv, '--json')
    assert.deepEqual([ran.code, ran.complaint], [0, ''], argv.join(' '))
    return ran.data
  }
  /** The exit code of a command line that fails, and what it complains of. */
  const refused = async (...argv: string[]): Promise<[code: number, complaint: string]> => {
    const { code, complaint } = await run(...argv)
    return [code, complaint]
  }
  return { run, done, refused }
}

/** What the command line needs of a platform's environment. */
export const keysAndAddressOf = ({ config }: { config: { PUBLIC_URL: string; LENDLOOM_KEYS: string } }) => ({
  PUBLIC_URL: config.PUBLIC_URL,
  LENDLOOM_KEYS: config.LENDLOOM_KEYS,
})
