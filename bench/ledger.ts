// Checks the money identities over random operations on loans, with the real rules and a ledger in memory.
import fc from 'fast-check'
import { costLaws } from '#test/setup/cost-law.ts'
import { actsOf, anyScript, noPlays, type PlayCounts, playScript } from '#test/setup/money-law.ts'
import { option } from './setup/api.ts'

export const about = `Random operations on loans by the real rules; after each one every amount is compared with a shadow account
Receipts, instalments paid ahead and part payments, cooling-off exits, reversals, refunds, waivers, write-offs, ends of days, and classes, on rows with charges: loans become non-performing and perform again.
Also checks that a loan's cost does not depend on splitting, order or late reports of payments, and never exceeds the interest on outstanding days.
Goal: no violation. The exit code is 1 when there is one, and its operations are printed.
Options: --operations <n> (100000), --seed <n> (from the clock).`

const scriptsAtOnce = 100

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
    const some = playScript(drawn)
    for (const kind of kinds) played[kind] += some[kind]
  })
  while (actsOf(played) < operations && violations < 20) {
    check(acts, scriptsAtOnce)
    for (const { law } of costLaws) check(law, scriptsAtOnce / 10)
  }
  const seconds = (performance.now() - began) / 1000
  const done = actsOf(played)
  console.log(kinds.map((kind) => `${kind} ${played[kind]}`).join(', '))
  const rate = `${Math.round(done / seconds)} a second, ${seconds.toFixed(1)} s`
  console.log(`${done} operations, ${violations} violations; ${rate}`)
  if (violations > 0) process.exitCode = 1
}
