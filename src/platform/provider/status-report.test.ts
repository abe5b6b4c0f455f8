// A later report replaces the current one, but never a final status; the order of arrival does not matter.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { kycMachine } from '#contract/exchange/event/kyc.ts'
import { esignMachine, mandateMachine } from '#contract/exchange/event/mandate.ts'
import { isTerminal, longestPath, type Table } from '#kit/runtime/machine.ts'
import { isNewReport } from './status-report.ts'

const machines: Record<string, Table<string, string>> = {
  kyc: kycMachine,
  mandate: mandateMachine,
  esign: esignMachine,
}
const start = 'REQUESTED'
const at = (ms: number) => new Date(Date.UTC(2026, 10, 20) + ms)

test('D3 §6: the state machines have no cycles, and ACTIVE is not final', () => {
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
            isNewReport(machine, { status: ending, providerUpdatedAt: at(0) }, { status, providerUpdatedAt: at(1) }),
            false,
            `${name} ${ending} -> ${status}`,
          )
  }
})

test('D3 §6: a report replaces REVIEW_READY only if it is later and the table allows it', () => {
  const current = { status: 'REVIEW_READY', providerUpdatedAt: at(5) } as const
  assert.equal(isNewReport(kycMachine, current, { status: 'REQUESTED', providerUpdatedAt: at(9) }), false)
  assert.equal(isNewReport(kycMachine, current, { status: 'REVIEW_READY', providerUpdatedAt: at(5) }), false)
  assert.equal(isNewReport(kycMachine, current, { status: 'REVIEW_READY', providerUpdatedAt: at(6) }), true)
  assert.equal(isNewReport(kycMachine, current, { status: 'APPROVED', providerUpdatedAt: at(4) }), false)
  assert.equal(isNewReport(kycMachine, current, { status: 'APPROVED', providerUpdatedAt: at(6) }), true)
  assert.equal(isNewReport(kycMachine, null, { status: 'EXPIRED', providerUpdatedAt: at(0) }), true)
})

/** A random path through a state machine; each step has the provider's time. */
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

test('D3 §6: property: callbacks in any order and number lead to the last status', () => {
  const arrivals = walk.chain(({ machine, steps }) =>
    fc
      .shuffledSubarray([...steps, ...steps], { minLength: 0 })
      .map((some) => ({ machine, steps, arriving: [...some, ...some, steps.at(-1)!] })),
  )
  fc.assert(
    fc.property(arrivals, ({ machine, steps, arriving }) => {
      let current: (typeof steps)[number] | null = null
      for (const report of arriving) if (isNewReport(machine, current, report)) current = report
      assert.deepEqual(current, steps.at(-1))
    }),
  )
})
