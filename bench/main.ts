// `npm run bench -- <name>` runs a benchmark. Each benchmark is a file in this folder.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The exports of each benchmark file. */
export interface Bench {
  /** What the benchmark measures, and its goals. The list of benchmarks shows the first line. */
  about: string
  /** `args` follow the name on the command line. */
  run(args: string[]): Promise<void>
}

const directory = import.meta.dirname
const names = readdirSync(directory)
  .filter((name) => name.endsWith('.ts') && name !== 'main.ts')
  .map((name) => name.slice(0, -3))
  .sort()

const load = (name: string): Promise<Bench> => import(join(directory, `${name}.ts`))

async function main([name, ...args]: string[]): Promise<void> {
  if (name !== undefined && names.includes(name)) {
    const bench = await load(name)
    if (args.includes('--help')) console.log(bench.about)
    else await bench.run(args)
    return
  }
  console.log('npm run bench -- <name> [--help]\n')
  for (const each of names) console.log(`${each.padEnd(12)}${(await load(each)).about.split('\n')[0]}`)
  if (name !== undefined && name !== '--help') {
    console.error(`\nunknown benchmark "${name}"`)
    process.exitCode = 2
  }
}

if (import.meta.main) await main(process.argv.slice(2))
