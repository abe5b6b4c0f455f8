// The lender channel to lending partners, which receive each decision of the borrower as an event (D3 §1.1, §6).

import { required } from '@lendloom/foundation/required'
import { type Run, sql } from '@lendloom/postgres/sql'
import { enqueue } from '@lendloom/queue/queue'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import type { TxContext } from '#platform/context.ts'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import { recordConsents } from '#platform/lending/borrower/consent.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { LenderChannel, LenderOffer } from '#platform/lending/lender/channel.ts'
import { isSwitchedOff, lenderKeyText } from '#platform/lending/lender/switch/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { applicantOf, fitsPartnerProduct } from './applicant.ts'
import { partnerOf } from './call-partner.ts'
import { type BorrowerDecision, decideCase, endCase } from './decide-case.ts'
import { lenderKeyOf, type Partner } from './directory/lending-partner.ts'
import { isPartner } from './directory/store.ts'
import { type CaseJob, chooseCase, submitWithAccount } from './lead-job.ts'
import type { PartnerCase } from './loan-case.ts'
import { lendingPartners } from './partner-look-ups.ts'
import { claimUrl } from './servicing/claim-link.ts'
import { missedInstalmentsIn } from './servicing/missed-instalments.ts'
import { usesStatement } from './statement-evidence.ts'
import { askStatus, freshSnapshot, loanSnapshotOf } from './status-snapshot.ts'
import { changeCase, findCase, hasUnlistedLender, informedLenders, insertCase, listCases } from './store.ts'
import { missedSumIn } from './transfers.ts'

export const partnerChannel: LenderChannel<TxContext> = {
  requestOffers: (ctx, journey, { person }) => openCases(ctx, journey, person),

  /**
   * Submits the application to the chosen partner, which is not yet the acceptance of an offer (D3 §1.1 rule 4). The
   * cases at other partners end without an event.
   */
  async select(ctx, journey, { offer, origin, language }) {
    const { tx, at } = ctx
    for (const loanCase of await listCases(tx, journey)) {
      if (loanCase.caseRef === offer.conversationId) {
        const submission = { purpose: 'submission', textVersion: currentConsentVersion, language } as const
        await recordConsents(ctx, journey, { consents: [submission], requiredPurposes: ['submission'], origin })
        await chooseCase(tx, loanCase, at)
      } else await endCase(tx, loanCase, 'the borrower chose another offer', at)
    }
  },

  /** Sends the acceptance, which the partner must confirm (D3 §1.1). */
  accept: (ctx, _, offer) => decide(ctx, offer, { decision: 'ACCEPT', reason: null }),

  /** Throws `wrong-state` once an acceptance was sent (D3 §3). */
  decline: (ctx, _, offer, because) =>
    decide(ctx, offer, { decision: 'REJECT', reason: because === null ? { act: 'DECLINED' } : { words: because } }),

  /** Sends a rejection to every partner that has made an offer. */
  withdraw: (ctx, journey) => decideAll(ctx, journey, { decision: 'REJECT', reason: { act: 'WITHDREW' } }),

  lapse: (ctx, journey) => decideAll(ctx, journey, { decision: 'EXPIRE', reason: null }),

  /** Sends the account with the lead. The partner verifies the account holder before disbursal (D3 §2.3). */
  async submitAccount(ctx, _journey, offer, _account) {
    const { tx, at } = ctx
    const loanCase = await caseOfOffer(tx, offer)
    await submitWithAccount(tx, loanCase, at)
    // If the partner uses statements, the step is done only when the statement has arrived too.
    return usesStatement(await partnerOf(ctx, tx, loanCase)) ? 'verifying' : 'accepted'
  },

  /** Does nothing, because the partner reports every signature. */
  pageVisited: async () => {},

  drawdowns: null,

  takesPayments: async (_, journey) => !productOf(journey).isRepaidAtLender,

  missedInstalment: async (ctx, offer) =>
    missedInstalmentsIn(offer.installments, await loanSnapshotOf(ctx.tx, ctx, offer), ctx.at),

  /** The partner has no payment page: the borrower pays by transfer and reports it on our page. */
  async requestServicing(ctx, offer, { kind, operationId, requestedPaise, serialNumber }, _) {
    const { tx, at } = ctx
    const { tenantId, journeyId } = offer
    const loanCase = await caseOfOffer(tx, offer)
    if (kind === 'STATUS_REFRESH') {
      await askStatus(tx, loanCase, operationId, at)
      return { kind: 'waiting' }
    }
    const duePaise = requestedPaise ?? missedSumIn(freshSnapshot(ctx, loanCase, at), serialNumber)
    if (duePaise === null) await askStatus(tx, loanCase, operationId, at)
    return { kind: 'transfer', claimUrl: claimUrl(ctx, { tenantId, journeyId, operationId }), duePaise }
  },

  refresh: async ({ tx, at }, offer, cause) => askStatus(tx, await caseOfOffer(tx, offer), cause, at),

  informedLenders,

  hasPaidOut: sql`false`,

  hasMoreTime: sql`false`,

  hasUnlistedLender,

  hasLender: isPartner,
}

async function decide(ctx: TxContext, offer: LenderOffer, decision: BorrowerDecision): Promise<void> {
  await decideCase(ctx, await caseOfOffer(ctx.tx, offer), decision)
}

async function decideAll(ctx: TxContext, journey: Journey, decision: BorrowerDecision): Promise<void> {
  const cases: PartnerCase[] = await listCases(ctx.tx, journey)
  for (const loanCase of cases) await decideCase(ctx, loanCase, decision)
}

/** The kind of the jobs that continue an opened case with the duplicate check. */
export const beginKind = 'partner-begin'

/**
 * Opens a case at each suitable partner that is not switched off, at most one per journey and partner. Jobs continue
 * the cases after the commit. A resubmitted profile restarts the duplicate check with a new request id (D3 §4.1).
 */
async function openCases(ctx: TxContext, journey: Journey, person: BorrowerDetails): Promise<void> {
  const { tx } = ctx
  if (!fitsPartnerProduct(journey, person)) return
  const { tenantId, journeyId } = journey
  const partners = await lendingPartners(ctx, tx, journey.type)
  if (partners.length === 0) return
  if (applicantOf(person) === null)
    return ctx.log.info({ journeyId }, 'the profile is incomplete: no lending partner receives an application')
  const cases = await listCases(tx, journey)
  for (const partner of partners) {
    const key = lenderKeyOf(partner)
    if (journey.refusedLenders.includes(lenderKeyText(key)) || (await isSwitchedOff(tx, { tenantId, ...key }))) continue
    await openCase(ctx, journey, partner, cases)
  }
}

async function openCase(ctx: TxContext, journey: Journey, { partnerId }: Partner, cases: PartnerCase[]): Promise<void> {
  const { tx, at } = ctx
  const { tenantId, journeyId } = journey
  const existing = cases.find((each) => each.partnerId === partnerId)
  const caseRef = existing?.caseRef ?? uuidv7(at.getTime(), bucketOf(journeyId))
  const dedupeRequestId = uuidv4(bucketOf(journeyId))
  if (!existing) await insertCase(tx, { tenantId, caseRef, journeyId, partnerId, dedupeRequestId }, at)
  else if (existing.stage !== 'CHECKING')
    await changeCase(tx, existing, { stage: 'CHECKING', dedupeRequestId, endedBecause: null }, at)
  const payload: CaseJob = { caseRef }
  await enqueue(tx, { tenantId, kind: beginKind, payload, dueAt: at })
}

/** Returns the case of an offer. Throws if the case is missing, because every partner offer has a case. */
async function caseOfOffer(
  tx: Run,
  { tenantId, conversationId: caseRef }: { tenantId: string; conversationId: string },
): Promise<PartnerCase> {
  return required(await findCase(tx, { tenantId, caseRef }), 'the case of an offer')
}
