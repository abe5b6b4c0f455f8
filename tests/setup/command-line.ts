// Runs `lendloom …` command lines against a test platform.
import assert from 'node:assert/strict'
import { main } from '@lendloom/cli/src/main.ts'

export interface CommandResult {
  code: number
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  data: any
  errorOutput: string
}

/** Runs command lines in this environment: `run` returns the result, `runJson` the data of a command that must succeed. */
export function commandLine(environment: NodeJS.ProcessEnv) {
  const env = { LENDLOOM_CONTEXT: 'local', ...environment }
  const run = async (...argv: string[]): Promise<CommandResult> => {
    const outputLines: string[] = []
    const errorLines: string[] = []
    const code = await main(argv, {
      env,
      print: (line) => void outputLines.push(line),
      complain: (line) => void errorLines.push(line),
    })
    const text = outputLines.join('\n')
    const errorOutput = errorLines.join('\n')
    return { code, text, errorOutput, data: argv.includes('--json') && text !== '' ? JSON.parse(text) : null }
  }
  const runJson = async (...argv: string[]): Promise<CommandResult['data']> => {
    const result = await run(...argv, '--json')
    assert.equal(result.code, 0, `${argv.join(' ')}: ${result.errorOutput}`)
    assert.equal(result.errorOutput, '', argv.join(' '))
    return result.data
  }
  /** Returns the exit code and error output of a command that fails. */
  const runFailing = async (...argv: string[]): Promise<{ code: number; errorOutput: string }> => {
    const { code, errorOutput } = await run(...argv)
    return { code, errorOutput }
  }
  return { run, runJson, runFailing }
}

/** The settings of a platform that the command line needs. */
export const keysAndAddressOf = ({ config }: { config: { PUBLIC_URL: string; LENDLOOM_KEYS: string } }) => ({
  PUBLIC_URL: config.PUBLIC_URL,
  LENDLOOM_KEYS: config.LENDLOOM_KEYS,
})
