// Plants faults of money in the product one at a time: the laws and tests that guard against them must find each.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { faultVariable, type PlantedFault, plantedText } from '#test/setup/planted-fault.ts'

interface Fault extends PlantedFault {
  name: string
  /** The file of the tests that must find it. */
  tests: string
  /** Which tests of the file run; all without a pattern. */
  only?: string
}

const moneyLaw = {
  tests: 'apps/partner/src/servicing/loan/money.law.test.ts',
  only: 'every amount equals that of an independent model',
}
const classTests = { tests: 'apps/partner/src/servicing/loan/class/returned-payment.full.test.ts' }

const faults: Fault[] = [
  {
    name: 'a returned payment restarts the clock of the NPA',
    file: 'apps/partner/src/servicing/loan/class/asset-class.ts',
    from: 'const since = npaOn !== null && (sinceArrears === null || npaOn < sinceArrears) ? npaOn : sinceArrears',
    to: 'const since = npaOn ?? (sinceArrears === null ? null : on)',
    ...classTests,
  },
  {
    name: 'the class is not restored after a returned payment',
    file: 'apps/partner/src/servicing/loan/class/classify.ts',
    from: 'reopenedFrom <= endedNpa.endedOn',
    to: "reopenedFrom < '0001'",
    ...classTests,
  },
  {
    name: 'the decision of a loss is forgotten after a returned payment',
    file: 'apps/partner/src/servicing/loan/class/classify.ts',
    from: 'isLoss: restored?.isLoss || loans',
    to: 'isLoss: loans',
    ...classTests,
  },
  {
    name: 'one paisa makes a loan past due',
    file: 'apps/partner/src/servicing/loan/class/store.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a query in the source file
    from: 'owed.paise > ${tolerance}',
    to: 'owed.paise > 0',
    ...classTests,
  },
  {
    name: 'a refund that the bank took back is not asked for',
    file: 'apps/partner/src/servicing/loan/reverse-receipt.ts',
    from: 'return claim > 0n ?',
    to: 'return claim > 10n ** 17n ?',
    ...moneyLaw,
  },
  {
    name: 'a refund that the bank took back is asked for one paisa short',
    file: 'apps/partner/src/servicing/loan/refund-claim.ts',
    from: 'principal: dueRow.due.principal + paise',
    to: 'principal: dueRow.due.principal + paise - 1n',
    ...moneyLaw,
  },
  {
    name: 'a set-off stands although its money was taken back',
    file: 'apps/partner/src/servicing/loan/set-off.ts',
    from: 'if (available >= 0n) break',
    to: 'if (available >= -(10n ** 17n)) break',
    ...moneyLaw,
  },
  {
    name: 'penal charges of a reopened row count from its due date',
    file: 'apps/partner/src/servicing/loan/allocate.ts',
    from: 'withShare(row, share, -1n, at), penalty, on)',
    to: 'withShare(row, share, -1n, at), penalty, row.dueOn)',
    ...moneyLaw,
  },
  {
    name: 'the fee stays refunded after the exit was undone',
    file: 'apps/partner/src/servicing/loan/reverse-receipt.ts',
    from: 'principalOf(withFeeRefunded.rows) > 0n ?',
    to: 'principalOf(withFeeRefunded.rows) > 10n ** 17n ?',
    ...moneyLaw,
  },
  {
    name: 'interest that was given back for a late payment is kept after its return',
    file: 'apps/partner/src/servicing/loan/repay.ts',
    from: 'interestRefunds.map(({ number, paise }) => ({ number, paise: -paise })),',
    to: 'interestRefunds.map(({ number }) => ({ number, paise: 0n })),',
    ...moneyLaw,
  },
  {
    name: 'after a returned payout the borrower still owes the principal',
    file: 'apps/partner/src/servicing/loan/return-payout.ts',
    from: "new Set(['BANK', 'UNAPPLIED', 'REFUND_PAYABLE'])",
    to: "new Set(['BANK', 'UNAPPLIED', 'REFUND_PAYABLE', 'PRINCIPAL'])",
    ...moneyLaw,
  },
  {
    name: 'a row is overdue before the first day with debits',
    file: 'apps/partner/src/servicing/loan/row-day-end.ts',
    from: 'const isWaiting = since > row.dueOn',
    to: 'const isWaiting = since < row.dueOn',
    ...moneyLaw,
  },
  {
    name: 'a round-off stands although the receipt before it was taken back',
    file: 'apps/partner/src/servicing/loan/reverse-receipt.ts',
    from: 'hasPaidLoan ? roundOffsIn(concessions) : []',
    to: 'hasPaidLoan ? [] : []',
    tests: 'apps/partner/src/servicing/loan/round-off.test.ts',
  },
  {
    name: 'money is refunded while the bank may still take it back',
    file: 'apps/partner/src/servicing/collection/payment-store.ts',
    from: "and status = 'POSTED' and value_on >= case method",
    to: "and status = 'FAILED' and value_on >= case method",
    tests: 'apps/partner/src/servicing/collection/transfer/order-refund.test.ts',
  },
  {
    name: 'different initials are the same person',
    file: 'apps/partner/src/bank/name-match.ts',
    from: "word === second[i] || isInitial(word, second[i] ?? '')",
    to: 'word === second[i] || word.length === 1',
    tests: 'apps/partner/src/bank/name-match.test.ts',
  },
]

const plant = pathToFileURL('tests/setup/planted-fault.ts').href

/** Runs the tests with the fault. */
function runWith({ file, from, to, tests, only }: Fault): Promise<{ code: number; output: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const fault: PlantedFault = { file, from, to }
  const args = [
    '--conditions=inside',
    '--import',
    plant,
    '--test',
    ...(only ? ['--test-name-pattern', only] : []),
    tests,
  ]
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { env: { ...env, [faultVariable]: JSON.stringify(fault) }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: error ? 1 : 0, output: `${stdout}${stderr}` }),
    )
  })
}

for (const fault of faults) {
  test(`D3 §2.5: the tests find that ${fault.name}`, async () => {
    const { code, output } = await runWith(fault)
    assert.match(output, new RegExp(plantedText))
    assert.equal(code, 1, `no test of ${fault.tests} fails`)
    assert.match(output, /AssertionError|Property failed/)
  })
}
