// Law: closed books stay, assets equal liabilities and profit, and the postings give what all other tables say.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { uuidv4 } from '@lendloom/seal/id'
import { openCollections } from '@lendloom/tests/setup/collection'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { until } from '@lendloom/tests/setup/programs'
import { assertUnpostedLaw } from '@lendloom/tests/setup/unposted-law'
import type { BankCredit } from '@lendloom/wire/bank/bank'
import fc from 'fast-check'
import { addColumns, financialsOf, totalOf } from '#partner/books/ledger/financials.ts'
import { balancesText, trialBalance } from '#partner/books/ledger/trial-balance.ts'
import type { TxContext } from '#partner/context.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { applyDebitResult } from '#partner/servicing/collection/debit/apply-debit-result.ts'
import { roundOffLoan, waiveAmounts, writeOffLoan } from '#partner/servicing/collection/give-up-dues.ts'
import { postHeldPayment } from '#partner/servicing/collection/held-payment.ts'
import { isDebit, newPayment } from '#partner/servicing/collection/payment.ts'
import { insertPayment, readPayments } from '#partner/servicing/collection/payment-store.ts'
import { postByHand, reverseByHand } from '#partner/servicing/collection/receipt/post-by-hand.ts'
import { receiveReceipt } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { recordTakenBack } from '#partner/servicing/collection/receipt/return/record-taken-back.ts'
import { requestExit } from '#partner/servicing/collection/request-exit.ts'
import { disbursementWorker } from '#partner/servicing/collection/transfer/carry-out-disbursement.ts'
import { orderDisbursement } from '#partner/servicing/collection/transfer/order-disbursement.ts'
import { orderRefund, refundWorker } from '#partner/servicing/collection/transfer/order-refund.ts'
import { returnWorker } from '#partner/servicing/collection/transfer/return-transfer.ts'
import { accountOf, payoffOf } from '#partner/servicing/loan/account-view.ts'
import { decideLoss } from '#partner/servicing/loan/class/classify.ts'
import { dayEnd } from '#partner/servicing/loan/day-end.ts'
import { exitAmountOn } from '#partner/servicing/loan/exit.ts'
import { monthEndBefore } from '#partner/servicing/loan/month/month-end.ts'
import { agreeSettlement } from '#partner/servicing/loan/settlement/agree-settlement.ts'
import { lockAccount } from '#partner/servicing/loan/store.ts'
import { rederiveBooks } from './rederive-books.ts'

const open = await openCollections()
const { ctx } = open
const { db } = ctx
open.runWorkers(disbursementWorker, refundWorker, returnWorker)

const acts = [
  'arrive',
  'arrive',
  'arrive',
  'assign',
  'reverse',
  'debit',
  'return',
  'days',
  'days',
  'waive',
  'round off',
  'settle',
  'write off',
  'exit',
  'leave',
  'refund',
  'give back refund',
  'give back payout',
  'loss',
  'post held',
  'taken back',
] as const
type Step = { act: (typeof acts)[number]; which: number; size: number }
const scripts = fc.array(fc.record({ act: fc.constantFrom(...acts), which: fc.nat(1000), size: fc.nat(1000) }), {
  minLength: 20,
  maxLength: 40,
  size: 'max',
})

const today = () => businessDate(ctx.clock())
const locked = (caseRef: string, run: (context: TxContext, loanCase: Case) => Promise<unknown>) =>
  db
    .tx(async (tx) => run({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef)))
    .catch((error: unknown) => assert.ok(error instanceof Refusal, error as Error))
const pick = <T>(from: T[], which: number): T | undefined => from[which % Math.max(from.length, 1)]

async function receiptArrives(caseRef: string, { which, size }: Step): Promise<void> {
  const { loanId, soa } = (await accountOf(db, caseRef))!
  const amounts = [4790_00n, 9580_00n, BigInt(1 + size * 977), soa.totalPaise + BigInt(size) + 1n]
  const remark = size % 3 === 0 ? null : `loan ${loanId}`
  await pay(pick(amounts, which)!, { remark, value_date: plusDays(today(), -(size % 9)) })
}

async function pay(paise: bigint, fields: Pick<BankCredit, 'remark' | 'value_date' | 'return_of'>): Promise<void> {
  const id = uuidv4()
  const credit = {
    receipt_id: id,
    method: 'NEFT',
    transaction_reference: `UTR${id}`,
    currency: 'INR',
    payer_name: 'Asha Kumar',
    amount: rupees(paise),
    ...fields,
    at: ctx.clock().toISOString(),
  } as BankCredit
  await Promise.all([receiveReceipt(ctx, credit), receiveReceipt(ctx, credit)])
}

/** Pays the amount of a cooling-off exit, which waits for the request. */
async function payExit(caseRef: string): Promise<void> {
  const account = (await db.tx((tx) => lockAccount(tx, caseRef)))!
  const { total } = exitAmountOn(account.loan, account.rows, today(), ctx.clock())
  if (total > 0n) await pay(total, { remark: `loan ${account.loan.loanId}`, value_date: today() })
}

/** The bank takes a receipt back by itself, whether or not it is posted: it is recorded only if it is not. */
async function bankTakesBack({ which }: Step): Promise<void> {
  const receipts = await db<{ provider: string; receiptId: string }>`
    select provider, receipt_id from bank_receipt order by payment_id is not null, received_at, receipt_id`
  const receipt = pick(receipts, which)
  if (!receipt) return
  const debit = { takenBackOn: today(), bankReference: `RTN${uuidv4()}` }
  await db
    .tx((tx) => recordTakenBack({ tx, at: ctx.clock() }, receipt, debit))
    .catch((error: unknown) => assert.ok(error instanceof Refusal, error as Error))
}

async function assignReceipt(caseRef: string, { which }: Step): Promise<void> {
  const unposted = await db<{ provider: string; receiptId: string }>`
    select provider, receipt_id from bank_receipt where payment_id is null order by received_at, receipt_id`
  const receipt = pick(unposted, which)
  if (receipt) await locked(caseRef, (context, loanCase) => postByHand(context, loanCase, receipt))
}

const debitResult = (reference: string, sequence: number, isReturned: boolean) =>
  applyDebitResult(ctx, {
    result_id: uuidv4(),
    reference,
    sequence,
    status: isReturned ? 'RETURNED' : 'CONFIRMED',
    return_code: isReturned ? '04' : null,
    bank_reference: `SBXB${uuidv4()}`,
    value_date: today(),
    at: ctx.clock().toISOString(),
  } as Parameters<typeof applyDebitResult>[1])

async function debitSucceeds(caseRef: string): Promise<void> {
  const collectionId = uuidv4()
  const debit = {
    caseRef,
    paymentId: uuidv4(),
    status: 'SUBMITTED' as const,
    method: 'ENACH',
    amountPaise: 4790_00n,
    collectionId,
    umrn: 'U1',
    mandateReference: 'M1',
    attemptNumber: 1,
    collectionOn: today(),
  }
  await db.tx((tx) => insertPayment(tx, newPayment(debit, ctx.clock())))
  await debitResult(collectionId, 1, false)
}

/** A loan that the bank paid out, so that its payout can come back. */
async function paidOutLoan(): Promise<string> {
  const caseRef = await open.readyCase()
  await locked(caseRef, (context, loanCase) => orderDisbursement(context, loanCase))
  await until('the loan is paid out', async () => (await accountOf(db, caseRef)) !== null)
  return caseRef
}

type TransferKind = 'disbursement' | 'refund'

const transfersOf = (caseRef: string) => db<{ kind: TransferKind; id: string; paise: bigint; status: string }>`
  select 'disbursement' as kind, disbursement_id::text as id, amount_paise as paise, status from disbursement
  where case_ref = ${caseRef}
  union all
  select 'refund', refund_id::text, amount_paise, status from refund where case_ref = ${caseRef}`

/** The bank gives back the payout, or a refund that it had paid. */
async function transferComesBack(caseRef: string, kind: TransferKind): Promise<void> {
  const transfers = await transfersOf(caseRef)
  const sent = transfers.find((each) => each.kind === kind && (each.status === 'DISBURSED' || each.status === 'PAID'))
  if (!sent) return
  const { id } = sent
  await pay(sent.paise, {
    remark: null,
    value_date: today(),
    return_of: { client_reference: id, reason_code: 'ACCOUNT_CLOSED' },
  })
  await until(`the ${kind} came back`, async () =>
    (await transfersOf(caseRef)).some((each) => each.id === id && each.status === 'RETURNED'),
  )
}

/** The borrower pays all but a small rest, and an officer rounds it off. */
async function restIsRoundedOff(caseRef: string, { size }: Step): Promise<void> {
  const { loanId } = (await accountOf(db, caseRef))!
  const payoff = await payoffOf(db, caseRef, today(), ctx.clock())
  const paise = (payoff?.total ?? 0n) - BigInt(size % 15) * 100n - 1n
  if (paise > 0n) await pay(paise, { remark: `loan ${loanId}`, value_date: today() })
  await locked(caseRef, (context, loanCase) => roundOffLoan(context, loanCase))
}

/** An officer agrees to settle an overdue loan for a part of what it owes, and the borrower pays that part. */
async function loanIsSettled(caseRef: string, { size }: Step): Promise<void> {
  const { loanId, soa } = (await accountOf(db, caseRef))!
  const paise = (soa.totalPaise * BigInt(1 + (size % 90))) / 100n
  await locked(caseRef, ({ tx, at }) =>
    agreeSettlement(tx, caseRef, { paise, until: plusDays(today(), size % 9), today: today() }, at),
  )
  if (paise > 0n) await pay(paise, { remark: `loan ${loanId}`, value_date: today() })
}

/** The borrower pays too much and gets a refund, which the bank then gives back. */
async function refundComesBack(caseRef: string, { size }: Step): Promise<void> {
  const { loanId, soa } = (await accountOf(db, caseRef))!
  await pay(soa.totalPaise + BigInt(size) + 1n, { remark: `loan ${loanId}`, value_date: today() })
  const { unappliedPaise } = (await accountOf(db, caseRef))!
  await locked(caseRef, (context, loanCase) => orderRefund(context, loanCase, unappliedPaise))
  const isUnfinished = async () =>
    (await transfersOf(caseRef)).some(({ kind, status }) => kind === 'refund' && unfinished.includes(status))
  await until('the refund is paid', async () => !(await isUnfinished()))
  await transferComesBack(caseRef, 'refund')
}

const unfinished = ['ORDERED', 'UNKNOWN', 'SENT']

async function play(caseRefs: string[], step: Step): Promise<void> {
  const { act, which, size } = step
  const caseRef = pick(caseRefs, which)!
  const payments = await readPayments(db, caseRef)
  const posted = pick(
    payments.filter((each) => each.status === 'POSTED' && isDebit(each) === (act === 'return')),
    size,
  )
  if (act === 'arrive') return receiptArrives(caseRef, step)
  if (act === 'leave') return payExit(caseRef)
  if (act === 'round off') return restIsRoundedOff(caseRef, step)
  if (act === 'settle') return loanIsSettled(caseRef, step)
  if (act === 'give back refund') return refundComesBack(caseRef, step)
  if (act === 'give back payout') {
    for (const each of caseRefs) await transferComesBack(each, 'disbursement')
    return
  }
  if (act === 'assign') return assignReceipt(caseRef, step)
  if (act === 'taken back') return bankTakesBack(step)
  if (act === 'debit') return debitSucceeds(caseRef)
  if (act === 'return') return void (posted?.collectionId && (await debitResult(posted.collectionId, 2, true)))
  if (act === 'days') {
    open.advanceClock({ days: 1 + (size % 40) })
    return void (await dayEnd(ctx, plusDays(today(), -1), async () => {}))
  }
  const view = (await accountOf(db, caseRef))!
  await locked(caseRef, async (context, loanCase) => {
    const { tx } = context
    if (act === 'reverse' && posted) await reverseByHand(context, loanCase, posted.paymentId)
    if (act === 'waive') await waiveAmounts(context, loanCase, view.waivable)
    if (act === 'write off') await writeOffLoan(context, loanCase)
    if (act === 'exit')
      await requestExit(context, loanCase, { requestedOn: today(), reference: 'GRV-1', today: today() })
    if (act === 'refund') await orderRefund(context, loanCase, view.unappliedPaise)
    if (act === 'loss') await decideLoss(tx, { caseRef, decidedBy: uuidv4(), remark: 'Absconded', on: today() })
    const held = payments.find(({ status, receiptId }) => status === 'PENDING_VERIFICATION' && receiptId !== null)
    if (act === 'post held' && held) await postHeldPayment(context, loanCase, held.paymentId)
  })
}

async function checkBooks(): Promise<void> {
  await assertUnpostedLaw(db)
  const { figures } = await db.snapshot(rederiveBooks)
  assert.deepEqual(
    figures.filter(({ derived, stored }) => derived !== stored),
    [],
  )
  for (const to of [today(), monthEndBefore(today())]) {
    const { assets, liabilities, reserves, profit, income, expenses } = await db.snapshot((snapshot) =>
      financialsOf(snapshot, { from: `${to.slice(0, 8)}01`, to }),
    )
    assert.deepEqual(
      totalOf(assets, [0n, 0n]),
      addColumns(totalOf(liabilities, [0n, 0n]), addColumns(reserves, profit)),
    )
    const zero = [0n, 0n, 0n]
    assert.equal(totalOf(income, zero)[1]! - totalOf(expenses, zero)[1]!, profit[0], 'the profit of the year')
  }
}

test('D3 §2.5: the postings of random histories give every balance, and closed months do not change', async () => {
  const closed = new Map<string, string>()
  const booksOf = async (to: string) => balancesText((await trialBalance(db, { from: `${to.slice(0, 8)}01`, to })).rows)
  const law = fc.asyncProperty(scripts, async (steps) => {
    const caseRefs = [
      await open.disbursedLoan(undefined, { daysAgo: 1 }),
      await open.disbursedLoan(),
      await paidOutLoan(),
    ]
    const first = { act: 'leave' as const, which: steps.length, size: 0 }
    for (const [i, step] of [first, ...steps].entries()) {
      await play(caseRefs, step)
      if (i % 3 === 0) await checkBooks()
      const to = monthEndBefore(today())
      if (step.act === 'days' && !closed.has(to)) closed.set(to, await booksOf(to))
    }
    for (const [to, books] of closed) assert.equal(await booksOf(to), books, to)
  })
  await fc.assert(law, { numRuns: roundsOf(3), endOnFailure: true })
})
