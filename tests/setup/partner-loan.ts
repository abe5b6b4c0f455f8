// Takes a loan from the lending partner through the running programs, and reads its state from each channel.
import assert from 'node:assert/strict'
import { businessDate } from '@lendloom/lending/calendar'
import { findMainCase } from '@lendloom/platform/src/lenders/partner/store.ts'
import { uuidv4 } from '@lendloom/seal/id'
import { inconsistencies, type SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import type { OfferCard, OfferDetail } from '@lendloom/wire/headless/offer'
import type { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { readForm } from '@lendloom/wire/network/html-form'
import {
  application,
  bankAccount,
  enter,
  newApplicant,
  openSession,
  readView,
  type SessionRequest,
} from './borrower.ts'
import { cardsOf, completeSteps, type HeadlessBorrower, mustCall, offerPath, startHeadlessJourney } from './headless.ts'
import { ask } from './platform.ts'
import { type Programs, until } from './programs.ts'

export interface PartnerLoan {
  borrower: HeadlessBorrower
  person: SessionRequest
  caseRef: string
  offerId: string
  /** Every snapshot received, by version. */
  snapshots: Map<number, SnapshotStatus>
}

const lenderName = 'Celestium Finance Limited'

interface Applicant {
  pan: string
  accountNumber: string
}

/**
 * Creates a borrower and continues until the journey has the status `reached`. The PAN may select a fault scenario. The bank
 * account must be unique, because the bank counts debits per account.
 */
export async function loanFromPartner(
  programs: Programs,
  applicant: Applicant,
  reached = 'DISBURSED',
): Promise<PartnerLoan> {
  const loan = await proceedWithPartner(programs, applicant)
  assert.equal(await completeSteps(loan.borrower, loan.offerId, [reached, 'REJECTED']), reached)
  return loan
}

/** Creates a borrower and continues until the recommendation is accepted; the final offer is not decided yet. */
export async function proceedWithPartner(programs: Programs, { pan, accountNumber }: Applicant): Promise<PartnerLoan> {
  const person = newApplicant()
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, person)
  const { profile, workProfile, address } = application(pan)
  const path = `/journeys/${borrower.journeyId}/profile`
  const bankingInformation = { ...bankAccount, accountNumber, accountType: 'SAVINGS' }
  const work = { ...workProfile, employmentType: 'selfEmployed' }
  await mustCall(borrower, 'PUT', path, { profile, workProfile: work, address, bankingInformation })
  await mustCall(borrower, 'POST', `${path}/submit`, { bureauConsent: true })
  const card = await until('an offer of the partner', async () =>
    (await cardsOf(borrower)).find(
      (each: OfferCard) => each.lenderName === lenderName && each.status === 'OFFER_RECEIVED',
    ),
  )
  await mustCall(borrower, 'POST', `${offerPath(borrower, card.offerID)}/proceed`)
  const { caseRef } = (await findMainCase(programs.db, {
    tenantId: programs.tenant.tenantId,
    journeyId: borrower.journeyId,
  }))!
  return { borrower, person, caseRef, offerId: card.offerID, snapshots: new Map() }
}

/** Requests a part payment of ₹5,000. Returns the link where the borrower reports the payment, and its status. */
export async function requestPartPayment(borrower: HeadlessBorrower) {
  const path = `/journeys/${borrower.journeyId}`
  const { operationID } = await mustCall(borrower, 'POST', `${path}/post-disbursal/pre-part-payment`, {
    amount: '5000',
  })
  const servicing = async () =>
    (await mustCall(borrower, 'GET', path)).servicing.find(
      (each: { operationID: string }) => each.operationID === operationID,
    )
  const link: string = await until('a link', async () => (await servicing()).redirectURL)
  return { link, status: async (): Promise<string> => (await servicing()).status }
}

/** Reports the payment on the page of the link, with `proof` as the image. */
export async function submitClaim(
  link: string,
  transactionReference: string,
  proof: Buffer = onePixel,
): Promise<Response> {
  const form = readForm(await (await fetch(link)).text(), link)
  const paidOn = form.fields.find(({ name }) => name === 'paidOn')?.value ?? ''
  const body = new FormData()
  const fields = { amount: '5000.00', method: 'UPI', transactionReference, paidOn }
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('proof', new Blob([new Uint8Array(proof)], { type: 'image/png' }), 'payment.png')
  return fetch(form.action, { method: 'POST', body })
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Requests the status as the platform does. Fails if the snapshot is inconsistent or its version went backward. */
export async function statusOf(programs: Programs, { caseRef, snapshots }: PartnerLoan): Promise<SnapshotStatus> {
  const { status, body } = await ask(`${programs.partnerUrl}/status?external_reference_id=${caseRef}`, {
    key: programs.toPartner!.bearer,
    headers: { 'x-request-id': uuidv4() },
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(inconsistencies(body), [], `version ${body.snapshot_version}`)
  assert.ok(body.snapshot_version >= Math.max(0, ...snapshots.keys()), 'versions only grow')
  snapshots.set(body.snapshot_version, body)
  return body
}

/** Starts a new session for the borrower's journey, because the first day's session has expired. */
export async function signInAgain(programs: Programs, { borrower, person }: PartnerLoan): Promise<HeadlessBorrower> {
  const { sessionToken } = await startHeadlessJourney(programs.platformUrl, programs.tenant, person)
  return { ...borrower, sessionToken }
}

/** Whether an instalment is paid, overdue or neither; other statuses differ between the channels. */
type PlanState = 'PAID' | 'OVERDUE' | 'OPEN'
interface PlanRow {
  dueOn: string
  amount: string
  state: PlanState
}

const planStateOf = (status: string): PlanState => (status === 'PAID' || status === 'OVERDUE' ? status : 'OPEN')

/** The plan according to the headless API (D2 §2.3). */
export async function planByApi(programs: Programs, loan: PartnerLoan): Promise<PlanRow[]> {
  const borrower = await signInAgain(programs, loan)
  const { installments }: OfferDetail = await mustCall(borrower, 'GET', offerPath(borrower, loan.offerId))
  return installments.map(({ dueOn, amount, status }) => ({ dueOn, amount, state: planStateOf(status) }))
}

/** The plan and the amounts owed according to the borrower's page. */
export async function planOnPage(programs: Programs, { person }: PartnerLoan) {
  const { body } = await openSession(programs.platformUrl, programs.tenant, person)
  const view = await readView(await enter(programs.platformUrl, body.embedUrl))
  const plan = view.installments.map(({ dueOn, amount, status }) => ({ dueOn, amount, state: planStateOf(status) }))
  const owedIn = (name: string) => view.owed.find(({ part }) => part === name)?.amount ?? '0.00'
  return {
    view,
    plan,
    owed: { outstanding: owedIn('outstanding'), overdue: owedIn('overdue'), penalCharges: owedIn('penalCharges') },
  }
}

/** The plan according to a lifecycle update that an integrator received (D1 §2.4). */
export function planByUpdate({ borrower: { journey } }: LifecycleUpdate): PlanRow[] {
  const [offer] = journey.offers.filter(({ accepted }) => accepted)
  return offer!.installments.map(({ installment_due_date, amount, status }) => ({
    dueOn: businessDate(new Date(installment_due_date)),
    amount,
    state: planStateOf(status),
  }))
}

/** The plan according to the lender's status (D3 §2.5). */
export const planByStatus = ({ amortization_schedule }: SnapshotStatus): PlanRow[] =>
  amortization_schedule!.installments.map(({ due_date, amount, status }) => ({
    dueOn: due_date,
    amount,
    state: planStateOf(status),
  }))

export const owedByStatus = ({ soa }: SnapshotStatus) => ({
  outstanding: soa!.total_outstanding,
  overdue: soa!.total_overdue,
  penalCharges: soa!.penalty_outstanding,
})
