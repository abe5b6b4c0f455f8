// Carries a transfer through: whose account, one order, enquiries until the bank proves an ending (D3 §1.1 rule 6, §6 rule 7).
import type { Transfer } from '#contract/bank/bank.ts'
import { businessDate } from '#kit/calendar.ts'
import { randomOctets } from '#kit/chance.ts'
import { isTerminal } from '#kit/machine.ts'
import { type Paise, paiseFrom, rupees } from '#kit/money.ts'
import { type Job, Later, type Worker, work } from '#kit/queue.ts'
import type { Tx } from '#kit/sql.ts'
import { checkAccount, enquireTransfer, orderTransfer, type Word } from '#partner/bank/client.ts'
import { isSameName } from '#partner/bank/name-match.ts'
import { disbursementBlockers } from '#partner/case/blocker.ts'
import { type Case, reservedId } from '#partner/case/case.ts'
import { factsOf, lookAgain } from '#partner/case/look-again.ts'
import { moveCase } from '#partner/case/move.ts'
import { lockCase } from '#partner/case/store.ts'
import { openLoan } from '#partner/loan/open-loan.ts'
import { currentOffer } from '#partner/review/store.ts'
import type { World } from '#partner/world.ts'
import {
  type Disbursement,
  type DisbursementMove,
  disbursementAfter,
  disbursementLifecycle,
  type Payee,
  payeeContext,
} from './disbursement.ts'
import { type TransferJob, transferKind } from './order-disbursement.ts'
import { hasArrivedByNow, patience, worrying } from './patience.ts'
import { findDisbursement, writeDisbursement } from './store.ts'
import { tellDisbursement, tellLoan } from './tell.ts'

export const transferring = (world: World): Worker =>
  work<TransferJob>({
    kind: transferKind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    handle: (job) => pursue(world, job),
    retrySeconds: (attempt) => patience(world, attempt),
  })

/** One look at a transfer; whoever looks next goes on from what is recorded, wherever this one was interrupted. */
async function pursue(world: World, { payload, attempt }: Job<TransferJob>): Promise<void> {
  const { caseRef, disbursementId } = payload
  const before = await findDisbursement(world.db, caseRef, disbursementId)
  const after = before.status === 'ORDERED' ? await send(world, before) : before
  if (after.status === 'UNKNOWN' || after.status === 'SENT') await enquire(world, after)
  const { status } = await findDisbursement(world.db, caseRef, disbursementId)
  if (isTerminal(disbursementLifecycle, status)) return
  if (attempt === worrying) world.alert('a transfer has no end yet', { caseRef, disbursementId, status })
  throw new Later(patience(world, attempt), `the transfer is ${status}`)
}

/** Nothing is sent to an account of another name, and nothing is sent before it is recorded that it will have been. */
async function send(world: World, before: Disbursement): Promise<Disbursement> {
  const { disbursementId, caseRef, amountPaise } = before
  const payee = world.seal.openJson<Payee>(before.payeeSealed, payeeContext(disbursementId))
  const { account, pan } = payee
  const checked = await checkAccount(world, { reference: disbursementId, account, pan })
  if (checked.is === 'unknown' || checked.is === 'unseen')
    throw new Later(patience(world, 1), 'whose account it is, is unknown')
  const reason = faultOf(checked, payee)
  if (reason !== null) return record(world, before, 'refused', { reasonCode: reason })

  const sent = await record(world, before, 'sent', { sentAt: world.clock() })
  if (sent.status !== 'UNKNOWN') return sent
  const word = await orderTransfer(world, {
    client_reference: disbursementId,
    mode: modeFor(amountPaise),
    amount: rupees(amountPaise),
    currency: 'INR',
    beneficiary: account,
    pan,
  })
  if (word.is === 'refused') return record(world, sent, 'refused', { reasonCode: 'REFUSED_BY_BANK' })
  if (word.is === 'said') return record(world, sent, 'acknowledged', {})
  world.log.warn({ caseRef, disbursementId }, 'nobody knows whether the bank has a transfer; it is enquired')
  return sent
}

function faultOf(
  checked: Word<{ status: string; registered_name: string | null; reason_code: string | null }>,
  payee: Payee,
) {
  if (checked.is !== 'said') return 'ACCOUNT_NOT_CHECKED'
  const { status, registered_name, reason_code } = checked.value
  if (status !== 'VALID' || registered_name === null) return reason_code ?? 'ACCOUNT_INVALID'
  return isSameName(registered_name, payee.borrowerName) ? null : 'ACCOUNT_NAME_MISMATCH'
}

/** Only the answer to an enquiry ends a transfer. One that the bank never saw is sent again, under the same reference. */
async function enquire(world: World, before: Disbursement): Promise<void> {
  const word = await enquireTransfer(world, before.disbursementId)
  if (word.is === 'unseen' && before.status === 'UNKNOWN' && hasArrivedByNow(world, before.sentAt!))
    await record(world, before, 'unseen', {})
  if (word.is !== 'said') return
  const { value } = word
  if (!isOurs(value, before))
    return world.alert('the bank tells of another transfer than the one ordered', {
      caseRef: before.caseRef,
      disbursementId: before.disbursementId,
    })
  if (value.status === 'SUCCESS') {
    const arrivedOn = businessDate(new Date(value.updated_at))
    await record(world, before, 'arrived', { bankReference: value.bank_reference!, arrivedOn })
  }
  if (value.status === 'FAILED')
    await record(world, before, 'cameBack', { reasonCode: value.reason_code ?? 'FAILED_AT_BANK' })
  if (value.status === 'PENDING' && before.status === 'UNKNOWN') await record(world, before, 'acknowledged', {})
}

const isOurs = (transfer: Transfer, { disbursementId, amountPaise }: Disbursement): boolean =>
  transfer.client_reference === disbursementId &&
  paiseFrom(transfer.amount) === amountPaise &&
  (transfer.status !== 'SUCCESS' || transfer.bank_reference !== null)

/** Instant transfers end at five lakh. */
const modeFor = (amount: Paise): 'IMPS' | 'NEFT' => (amount <= 500_000_00n ? 'IMPS' : 'NEFT')

type Learnt = Partial<Pick<Disbursement, 'bankReference' | 'reasonCode' | 'sentAt'>>

/** Records a move, with all that follows from it. What somebody else has recorded meanwhile stays. */
const record = (
  world: World,
  before: Disbursement,
  move: DisbursementMove,
  { arrivedOn, ...learnt }: Learnt & { arrivedOn?: string },
) =>
  world.db.tx(async (tx): Promise<Disbursement> => {
    const kase = await lockCase(tx, before.caseRef)
    const at = world.clock()
    const row = await findDisbursement(tx, before.caseRef, before.disbursementId)
    const status = disbursementAfter(row, move)
    if (!status) return row
    // Between the order and this moment a mandate can have been cancelled.
    const [blocker] = move === 'sent' ? disbursementBlockers(await factsOf(tx, world, kase, at)) : []
    if (blocker) return fail(tx, world, kase, row, { reasonCode: blocker }, at)
    if (status === 'FAILED') return fail(tx, world, kase, row, learnt, at)
    const after: Disbursement = { ...row, ...learnt, status, updatedAt: at }
    await writeDisbursement(tx, row, after, at)
    if (status === 'DISBURSED') await open(tx, world, kase, after, arrivedOn!, at)
    return after
  })

/** The case is where its checks have it again; another transfer is another record. */
async function fail(
  tx: Tx,
  world: World,
  kase: Case,
  row: Disbursement,
  learnt: Learnt,
  at: Date,
): Promise<Disbursement> {
  const after: Disbursement = { ...row, ...learnt, status: 'FAILED', updatedAt: at }
  await writeDisbursement(tx, row, after, at)
  const moved = await moveCase(tx, kase, 'disbursementFailed', at)
  await lookAgain(tx, world, moved, at)
  await tellDisbursement(tx, world, moved, after, at)
  return after
}

/** The loan exists from the moment in which the transfer is proved; interest runs from the day of the transfer. */
async function open(tx: Tx, world: World, kase: Case, after: Disbursement, disbursedOn: string, at: Date) {
  const { caseRef, loanId } = kase
  const offer = await currentOffer(tx, caseRef)
  const loanAccountId = reservedId(randomOctets(8))
  const money = { disbursedPaise: after.amountPaise, disbursedOn, bankReference: after.bankReference! }
  const loan = await openLoan(tx, { caseRef, loanId, loanAccountId, terms: offer!.terms, ...money }, at)
  const moved = await moveCase(tx, kase, 'disbursed', at)
  await tellDisbursement(tx, world, moved, after, at)
  await tellLoan(tx, world, moved, loan.status, 'DISBURSED', at)
}
