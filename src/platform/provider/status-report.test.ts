// When news is news: later words count, endings stay, and the order of arrival changes nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { kycMachine } from '#contract/exchange/event/kyc.ts'
import { esignMachine, mandateMachine } from '#contract/exchange/event/mandate.ts'
import { isTerminal, longestPath, type Table } from '#kit/runtime/machine.ts'
import { isNews } from './status-report.ts'

const machines: Record<string, Table<string, string>> = {
  kyc: kycMachine,
  mandate: mandateMachine,
  esign: esignMachine,
}
const start = 'REQUESTED'
const at = (ms: number) => new Date(Date.UTC(2026, 10, 20) + ms)

test('D3 §6: the machines have no way back, and an active mandate is no ending', () => {
  assert.deepEqual(
    Object.values(machines).map((machine) => longestPath(machine, start)),
    [3, 4, 2],
  )
  for (const [name, machine] of Object.entries(machines)) {
    const endings = Object.keys(machine).filter((status) => isTerminal(machine, status))
    assert.equal(endings.includes('ACTIVE'), false, name)
    for (const ending of endings)
      for (const status of Object.keys(machine))
        if (status !== ending)
          assert.equal(
            isNews(machine, { status: ending, providerUpdatedAt: at(0) }, { status, providerUpdatedAt: at(1) }),
            false,
            `${name} ${ending} -> ${status}`,
          )
  }
})

test('D3 §6: REVIEW_READY is no approval, and the same word again is none that is new', () => {
  const held = { status: 'REVIEW_READY', providerUpdatedAt: at(5) } as const
  assert.equal(isNews(kycMachine, held, { status: 'REQUESTED', providerUpdatedAt: at(9) }), false)
  assert.equal(isNews(kycMachine, held, { status: 'REVIEW_READY', providerUpdatedAt: at(5) }), false)
  assert.equal(isNews(kycMachine, held, { status: 'REVIEW_READY', providerUpdatedAt: at(6) }), true)
  assert.equal(isNews(kycMachine, held, { status: 'APPROVED', providerUpdatedAt: at(4) }), false)
  assert.equal(isNews(kycMachine, held, { status: 'APPROVED', providerUpdatedAt: at(6) }), true)
  assert.equal(isNews(kycMachine, null, { status: 'EXPIRED', providerUpdatedAt: at(0) }), true)
})

/** A walk through a machine, each step with the time the provider gives it. */
const walk = fc
  .tuple(fc.constantFrom(...Object.keys(machines)), fc.array(fc.nat(10), { minLength: 1, maxLength: 6 }))
  .map(([name, choices]) => {
    const machine = machines[name]!
    const steps = [{ status: start, providerUpdatedAt: at(0) }]
    for (const [i, choice] of choices.entries()) {
      const onward = Object.values(machine[steps.at(-1)!.status]!)
      if (onward.length === 0) break
      steps.push({ status: onward[choice % onward.length]!, providerUpdatedAt: at(i + 1) })
    }
    return { machine, steps }
  })

test('D3 §6: in whatever order, and however often, callbacks come: the last word is held in the end', () => {
  const arrivals = walk.chain(({ machine, steps }) =>
    fc
      .shuffledSubarray([...steps, ...steps], { minLength: 0 })
      .map((some) => ({ machine, steps, arriving: [...some, ...some, steps.at(-1)!] })),
  )
  fc.assert(
    fc.property(arrivals, ({ machine, steps, arriving }) => {
      let held: (typeof steps)[number] | null = null
      for (const report of arriving) if (isNews(machine, held, report)) held = report
      assert.deepEqual(held, steps.at(-1))
    }),
  )
})
