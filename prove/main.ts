// `npm run prove -- <name>`: finds the proof of that name and runs it. One file here per claim about more than one machine.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '#kit/runtime/record.ts'

/** What a file here exports. */
export interface Proof {
  /** What it proves, with what, and its options, in a few lines; the first stands in the list. */
  about: string
  /** Why it cannot run on this machine: the packages that are not installed and how to install them. Null when it can. */
  missing?: () => string | null
  /** `args` are what followed its name. Throws when something broke that the claim is not about. */
  run(args: string[]): Promise<Outcome>
}

export interface Outcome {
  passed: boolean
  /** What was counted, on one line. */
  figures: string
}

const directory = import.meta.dirname
const names = readdirSync(directory)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'main.ts')
  .map((name) => name.slice(0, -3))
  .sort()

const load = (name: string): Promise<Proof> => import(join(directory, `${name}.ts`))

/** The last line says what came of it; the exit code is 0 unless the claim does not hold (1) or there is no such proof (2). */
async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined || name === '--help') return list()
  if (!names.includes(name)) {
    await list()
    console.error(`\nthere is no proof "${name}"`)
    process.exitCode = 2
    return
  }
  const proof = await load(name)
  if (args.includes('--help')) return console.log(proof.about)
  const missing = proof.missing?.() ?? null
  if (missing !== null) return console.log(`${name}: SKIPPED: ${missing}`)
  const { passed, figures } = await proof.run(args).catch((error: unknown) => {
    console.error(error)
    return { passed: false, figures: messageOf(error) }
  })
  console.log(`${name}: ${passed ? 'PASSED' : 'FAILED'}: ${figures}`)
  process.exitCode = passed ? 0 : 1
}

async function list(): Promise<void> {
  console.log('npm run prove -- <name> [--help]\n')
  for (const each of names) {
    const { about, missing } = await load(each)
    const skipped = missing?.() ?? null
    console.log(
      `${each.padEnd(12)}${about.split('\n')[0]}${skipped === null ? '' : `\n${' '.repeat(12)}not here: ${skipped}`}`,
    )
  }
}

if (import.meta.main) await main(process.argv.slice(2))
