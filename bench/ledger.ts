// Checks the money identities over random operations on loans, with the real rules and a ledger in memory.

import { costLaws } from '@lendloom/tests/setup/cost-law'
import { actsOf, anyScript, noPlays, type PlayCounts, playScript } from '@lendloom/tests/setup/money-law'
import fc from 'fast-check'
import { option } from './setup/api.ts'

export const about = `Random operations on loans by the real rules; after each operation every amount is compared with a shadow account
Operations: receipts, advance and part payments, cooling-off exits, reversals, refunds, waivers, write-offs and day ends.
Instalments can have charges. Loans become non-performing and perform again.
Also checks that a loan costs the same if payments are split, reordered or reported late, and never costs more than the
interest on outstanding days.
Goal: no violation. After a violation the exit code is 1, and the operations are printed.
Options: --operations <n> (100000), --seed <n> (default: from the clock).`

const scriptsPerRound = 100

export async function run(args: string[]): Promise<void> {
  const operations = option(args, 'operations', 100_000)
  let seed = option(args, 'seed', Date.now() % 1_000_000_000)
  console.log(`seed ${seed}`)
  const played: PlayCounts = { ...noPlays }
  const kinds = Object.keys(played) as (keyof PlayCounts)[]
  const began = performance.now()
  let violations = 0
  const check = <T>(property: fc.IProperty<T>, numRuns: number) => {
    const { failed, counterexample, errorInstance } = fc.check(property, { seed: seed++, numRuns, endOnFailure: true })
    if (!failed) return
    violations++
    console.error(`violation with seed ${seed - 1}: ${errorInstance}\n${fc.stringify(counterexample)}`)
  }
  const acts = fc.property(anyScript, (drawn) => {
    const counts = playScript(drawn)
    for (const kind of kinds) played[kind] += counts[kind]
  })
  while (actsOf(played) < operations && violations < 20) {
    check(acts, scriptsPerRound)
    for (const { law } of costLaws) check(law, scriptsPerRound / 10)
  }
  const seconds = (performance.now() - began) / 1000
  const done = actsOf(played)
  console.log(kinds.map((kind) => `${kind} ${played[kind]}`).join(', '))
  const rate = `${Math.round(done / seconds)} a second, ${seconds.toFixed(1)} s`
  console.log(`${done} operations, ${violations} violations; ${rate}`)
  if (violations > 0) process.exitCode = 1
}
