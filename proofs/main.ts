// `npm run prove -- <name>` runs the proof of that name. One file per claim that involves more than one server.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@lendloom/foundation/thrown'

export interface Proof {
  /** What it proves, with what, and its options, in a few lines; the first line appears in the list. */
  about: string
  /** Names the missing packages and how to install them; null if the proof can run. */
  missing?: () => string | null
  /** `args` follow the name on the command line. Throws on failures unrelated to the claim. */
  run(args: string[]): Promise<Outcome>
}

export interface Outcome {
  passed: boolean
  /** The counts, on one line. */
  figures: string
}

const directory = import.meta.dirname
const names = readdirSync(directory)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'main.ts')
  .map((name) => name.slice(0, -3))
  .sort()

const load = (name: string): Promise<Proof> => import(join(directory, `${name}.ts`))

/** Prints the result last. Exit code: 0 passed or skipped, 1 failed, 2 unknown proof. */
async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined || name === '--help') return list()
  if (!names.includes(name)) {
    await list()
    console.error(`\nunknown proof "${name}"`)
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
