// Tests which reports replace the current one: the result never depends on the order in which reports arrive.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTerminal, longestPath, type Table } from '@lendloom/foundation/machine'
import { kycMachine } from '@lendloom/wire/exchange/event/kyc'
import { esignMachine, mandateMachine } from '@lendloom/wire/exchange/event/mandate'
import fc from 'fast-check'
import { isNewReport } from './status-report.ts'

const machines: Record<string, Table<string, string>> = {
  kyc: kycMachine,
  mandate: mandateMachine,
  esign: esignMachine,
}
const initialStatus = 'REQUESTED'
const at = (ms: number) => new Date(Date.UTC(2026, 10, 20) + ms)

test('D3 §6: no report replaces a final status, and ACTIVE is not final', () => {
  // `longestPath` also throws for a machine with a cycle.
  assert.deepEqual(
    Object.values(machines).map((machine) => longestPath(machine, initialStatus)),
    [3, 4, 2],
  )
  for (const [name, machine] of Object.entries(machines)) {
    const finalStatuses = Object.keys(machine).filter((status) => isTerminal(machine, status))
    assert.equal(finalStatuses.includes('ACTIVE'), false, name)
    for (const final of finalStatuses)
      for (const status of Object.keys(machine))
        if (status !== final)
          assert.equal(
            isNewReport(machine, { status: final, providerUpdatedAt: at(0) }, { status, providerUpdatedAt: at(1) }),
            false,
            `${name} ${final} -> ${status}`,
          )
  }
})

test('D3 §6: a report replaces REVIEW_READY only if it is later and the state machine leads to its status', () => {
  const current = { status: 'REVIEW_READY', providerUpdatedAt: at(5) } as const
  assert.equal(isNewReport(kycMachine, current, { status: 'REQUESTED', providerUpdatedAt: at(9) }), false)
  assert.equal(isNewReport(kycMachine, current, { status: 'REVIEW_READY', providerUpdatedAt: at(5) }), false)
  assert.equal(isNewReport(kycMachine, current, { status: 'REVIEW_READY', providerUpdatedAt: at(6) }), true)
  assert.equal(isNewReport(kycMachine, current, { status: 'APPROVED', providerUpdatedAt: at(4) }), false)
  assert.equal(isNewReport(kycMachine, current, { status: 'APPROVED', providerUpdatedAt: at(6) }), true)
  assert.equal(isNewReport(kycMachine, null, { status: 'EXPIRED', providerUpdatedAt: at(0) }), true)
})

/** A random path through a state machine, as the reports in the order of the provider's times. */
const paths = fc
  .tuple(fc.constantFrom(...Object.keys(machines)), fc.array(fc.nat(10), { minLength: 1, maxLength: 6 }))
  .map(([name, choices]) => {
    const machine = machines[name]!
    const reports = [{ status: initialStatus, providerUpdatedAt: at(0) }]
    for (const [i, choice] of choices.entries()) {
      const targets = Object.values(machine[reports.at(-1)!.status]!)
      if (targets.length === 0) break
      reports.push({ status: targets[choice % targets.length]!, providerUpdatedAt: at(i + 1) })
    }
    return { machine, reports }
  })

test('D3 §6: property: reports in any order and with any duplicates lead to the last status', () => {
  const arrivals = paths.chain(({ machine, reports }) =>
    fc
      .shuffledSubarray([...reports, ...reports], { minLength: 0 })
      .map((subset) => ({ machine, reports, received: [...subset, ...subset, reports.at(-1)!] })),
  )
  fc.assert(
    fc.property(arrivals, ({ machine, reports, received }) => {
      let current: (typeof reports)[number] | null = null
      for (const report of received) if (isNewReport(machine, current, report)) current = report
      assert.deepEqual(current, reports.at(-1))
    }),
  )
})
