// The lending partners as a channel to lenders: a case with each of them, and an event for each word of the borrower (D3 §1.1, §6).

import { sensitiveFaults } from '#contract/exchange/fields.ts'
import { currentConsentVersion } from '#contract/hosted/consent-text.ts'
import { type BorrowerWord, borrowerWords } from '#contract/reason/reason.ts'
import { bucketOf, uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { enqueue } from '#kit/messaging/queue.ts'
import { required } from '#kit/runtime/record.ts'
import { type BorrowerDetails, recordConsents } from '#platform/borrower/borrower.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { LenderChannel, LenderOffer } from '#platform/lender/channel.ts'
import { isSwitchedOff } from '#platform/lender/switch/store.ts'
import { applicantOf, meetsPartner, plain, wantsStatement } from './applicant.ts'
import { partnerOf } from './call.ts'
import { canMove, isWithPartner, type PartnerCase, stageAfter } from './case.ts'
import { sendEvent } from './deliver.ts'
import { lenderNameOf, type Partner } from './partner/store.ts'
import { lendingPartners } from './partners.ts'
import { askStatus, followUpPartner, moneyStatus, overdueOf } from './status.ts'
import { changeCase, findCase, insertCase, listCases } from './store.ts'

export const partnerChannel: LenderChannel = {
  requestOffers: (ctx, journey, { person }) => openCases(ctx, journey, person),

  async hasUnlisted(tx, _, journey) {
    const cases = await listCases(tx, journey)
    return cases.some(({ stage, lenderId }) => stage === 'CHECKING' && lenderId === null)
  },

  /**
   * Choosing the recommendation submits the application without accepting an offer (D3 §1.1 rule 4). No other partner
   * learns of it.
   */
  async select(ctx, journey, { offer, place, language }) {
    const { tx, at } = ctx
    for (const application of await listCases(tx, journey)) {
      if (application.caseRef === offer.conversationId) {
        const submission = { purpose: 'submission', textVersion: currentConsentVersion, language } as const
        await recordConsents(ctx, journey, { given: [submission], needed: ['submission'], place })
        await chooseCase(tx, application, at)
      } else await endCase(tx, application, 'the borrower chose another offer', at)
    }
  },

  /** The partner must record it (D3 §1.1). */
  accept: (ctx, _, offer) => decide(ctx, offer, { decision: 'ACCEPT', reason: null }),

  /** A sent acceptance is not overwritten (D3 §3). */
  decline: (ctx, _, offer, because) =>
    decide(ctx, offer, { decision: 'REJECT', reason: because === null ? { did: 'DECLINED' } : { words: because } }),

  /** Lenders that have offered are notified of a rejection. */
  withdraw: (ctx, journey) => decideAll(ctx, journey, { decision: 'REJECT', reason: { did: 'WITHDREW' } }),

  lapse: (ctx, journey) => decideAll(ctx, journey, { decision: 'EXPIRE', reason: null }),

  /** The account is sent with the lead; the partner verifies its holder before payout (D3 §2.3). */
  async submitAccount(ctx, __, offer, ___) {
    const { tx, at } = ctx
    const application = await caseOfOffer(tx, offer)
    await submitWithAccount(tx, application, at)
    // The step is done when the statement of this account is here too.
    return wantsStatement(await partnerOf(ctx, tx, application)) ? 'verifying' : 'taken'
  },

  /** The partner reports every signature. */
  agreementVisited: async () => {},

  /** The partner has no payment page: the borrower pays by transfer and reports it on our page. */
  async requestServicing(ctx, offer, { kind, operationId, requestedPaise }, _) {
    const { tx, at } = ctx
    const application = await caseOfOffer(tx, offer)
    if (kind === 'STATUS_REFRESH') {
      await askStatus(tx, application, operationId, at)
      return { kind: 'waiting' }
    }
    const owed = kind === 'MISSED_EMI_PAYMENT' ? overdueOf(moneyStatus(ctx, application, at)) : null
    return { kind: 'transfer', duePaise: requestedPaise ?? owed }
  },

  refresh: async ({ tx, at }, offer, cause) => askStatus(tx, await caseOfOffer(tx, offer), cause, at),
}

async function decide(ctx: TxContext, offer: LenderOffer, decision: BorrowerDecision): Promise<void> {
  await decideCase(ctx, await caseOfOffer(ctx.tx, offer), decision)
}

/** No decision when no partner was asked. */
async function decideAll(ctx: TxContext, journey: Journey, decision: BorrowerDecision): Promise<void> {
  const cases: PartnerCase[] = await listCases(ctx.tx, journey)
  for (const application of cases) await decideCase(ctx, application, decision)
}

/** Begins a case with each partner that lends to a borrower, ends one, and finds the one of an offer. */
export const beginKind = 'partner-begin'

export interface CaseJob {
  caseRef: string
}

/**
 * Opens a case at each partner that lends to such a borrower and is not switched off, at most one for a journey at each; what
 * follows is worked off after the commit. A profile that was sent again asks them afresh, under new request ids (D3 §4.1).
 */
async function openCases(ctx: TxContext, journey: Journey, person: BorrowerDetails): Promise<void> {
  const { tx } = ctx
  if (!meetsPartner(journey, person)) return
  const { tenantId, journeyId } = journey
  const lending = await lendingPartners(ctx, tx, journey.type)
  if (lending.length === 0) return
  if (applicantOf(person) === null)
    return ctx.log.info({ journeyId }, 'the profile has no full address: lending partners are not asked')
  const known = await listCases(tx, journey)
  for (const partner of lending)
    if (!(await isSwitchedOff(tx, { tenantId, ...lenderNameOf(partner) }))) await openCase(ctx, journey, partner, known)
}

async function openCase(ctx: TxContext, journey: Journey, { partnerId }: Partner, cases: PartnerCase[]): Promise<void> {
  const { tx, at } = ctx
  const { tenantId, journeyId } = journey
  const known = cases.find((each) => each.partnerId === partnerId)
  const caseRef = known?.caseRef ?? uuidv7(at.getTime(), bucketOf(journeyId))
  const dedupeRequestId = uuidv4(bucketOf(journeyId))
  if (!known) await insertCase(tx, { tenantId, caseRef, journeyId, partnerId, dedupeRequestId }, at)
  else if (known.stage !== 'CHECKING')
    await changeCase(tx, known, { stage: 'CHECKING', dedupeRequestId, endedBecause: null }, at)
  const payload: CaseJob = { caseRef }
  await enqueue(tx, { tenantId, kind: beginKind, payload, dueAt: at })
}

/** Ends our messages about a case. A case at the partner also needs an event that ends it. */
export async function endCase(tx: Tx, application: PartnerCase, because: string, at: Date): Promise<PartnerCase> {
  if (!canMove(application, 'end')) return application
  return changeCase(tx, application, { stage: stageAfter(application, 'end'), endedBecause: because }, at)
}

/** The case of an offer. Throws when there is none: every partner offer has one. */
async function caseOfOffer(
  tx: Run,
  { tenantId, conversationId: caseRef }: { tenantId: string; conversationId: string },
): Promise<PartnerCase> {
  return required(await findCase(tx, { tenantId, caseRef }), 'the case of an offer')
}

export const leadKind = 'partner-lead'

/** The borrower took the recommendation: the lead is put together and sent after the commit. */
async function chooseCase(tx: Tx, application: PartnerCase, at: Date): Promise<PartnerCase> {
  const { tenantId, caseRef } = application
  const payload: CaseJob = { caseRef }
  await enqueue(tx, { tenantId, kind: leadKind, key: caseRef, payload, dueAt: at })
  return changeCase(tx, application, { stage: stageAfter(application, 'chosen') }, at)
}

/** The lead's account has arrived: builds the lead again. */
export const submitWithAccount = (tx: Tx, { tenantId, caseRef, stage }: PartnerCase, at: Date): Promise<void> => {
  const payload: CaseJob = { caseRef }
  return stage === 'CHOSEN' ? enqueue(tx, { tenantId, kind: leadKind, payload, dueAt: at }) : Promise.resolve()
}

/** Builds the lead again from current data, with a new event id and version (D3 §6 rule 6). */
export async function correctLead(tx: Tx, application: PartnerCase, at: Date): Promise<void> {
  const { tenantId, caseRef } = application
  const fresh = { dedupeRequestId: uuidv4(bucketOf(caseRef)), dedupeCheckedAt: null, leadEventId: null }
  await changeCase(tx, application, { stage: stageAfter(application, 'corrected'), ...fresh }, at)
  const payload: CaseJob = { caseRef }
  await enqueue(tx, { tenantId, kind: leadKind, payload, dueAt: at })
}

/**
 * The borrower's decision on the partner's final offer: accepted, rejected, or expired (D3 §6 OFFER_DECISION_RECORDED).
 */
export interface BorrowerDecision {
  decision: 'ACCEPT' | 'REJECT' | 'EXPIRE'
  /** In the borrower's words, or what the borrower did without any. */
  reason: { words: string } | { did: BorrowerWord } | null
}

/**
 * Sends the decision to the partner once. Before an offer there is nothing to decide, and the case just ends. Refused
 * as `wrong-state` to withdraw an acceptance, or to accept without an offer.
 */
export async function decideCase(
  ctx: TxContext,
  application: PartnerCase,
  { decision, reason }: BorrowerDecision,
): Promise<PartnerCase> {
  const { tx, at } = ctx
  if (application.decision === decision) return application
  if (application.decision === 'ACCEPT')
    throw new Refusal('wrong-state', 'the lender was told that its offer is accepted: only the lender can end it now', {
      stage: application.stage,
    })
  if (application.offerId === null || !isWithPartner(application)) {
    if (decision === 'ACCEPT') throw new Refusal('wrong-state', 'the lender has not given its final terms yet')
    return endCase(tx, application, textOf(reason) ?? 'nothing was chosen in time', at)
  }
  const data = {
    offer_id: application.offerId,
    decision,
    decided_at: at.toISOString(),
    reason: fitReason(textOf(reason)),
  }
  const decisionEventId = await sendEvent(ctx, application, { type: 'OFFER_DECISION_RECORDED', data })
  const stage = decision === 'ACCEPT' ? stageAfter(application, 'decided') : stageAfter(application, 'end')
  const endedBecause = decision === 'ACCEPT' ? null : `the borrower's word was ${decision}`
  const decided = await changeCase(tx, application, { stage, decision, decisionEventId, endedBecause }, at)
  if (decision === 'ACCEPT') await followUpPartner(ctx, decided)
  return decided
}

const textOf = (reason: BorrowerDecision['reason']): string | null =>
  reason && ('did' in reason ? borrowerWords[reason.did] : reason.words)

/** A borrower's own words as the exchange takes them: without control characters, and not at all with an Aadhaar number in them. */
export function fitReason(reason: string | null): string | null {
  const text = [...plain(reason ?? '')].slice(0, 1000).join('')
  return text === '' || sensitiveFaults(text, 'reason').length > 0 ? null : text
}
