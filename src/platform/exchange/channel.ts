// The lending partner as a channel to lenders: one case with it, and an event for each word of the borrower (D3 §1.1, §6).
import { currentConsentVersion } from '#contract/hosted/consent-text.ts'
import type { Tx } from '#kit/db/sql.ts'
import { recordConsents } from '#platform/borrower/consent.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { LenderChannel } from '#platform/lender/channel.ts'
import { wantsStatement } from './banking.ts'
import type { PartnerCase } from './case.ts'
import { type Decision, decideCase } from './decide.ts'
import { caseOf, chooseCase, endCase, openCase, submitWithAccount } from './open-case.ts'
import { askStatus, moneyStatus, overdueOf } from './status.ts'
import { findCaseOf } from './store.ts'

export const partnerChannel: LenderChannel<Context> = {
  requestOffers: (ctx, journey, { person }) => openCase(ctx, journey, person),

  async hasUnlisted(tx, ctx, journey) {
    const application = await caseOf(tx, ctx, journey)
    return application?.stage === 'CHECKING' && application.lenderId === null
  },

  /** Choosing the recommendation submits the application; it accepts no offer (D3 §1.1 rule 4). */
  async select(ctx, journey, { offer, place, language }) {
    const { tx, at } = ctx
    const application = await caseOf(tx, ctx, journey)
    if (!application) return
    if (application.caseRef !== offer.conversationId)
      return void (await endCase(tx, application, 'the borrower chose another offer', at))
    const submission = { purpose: 'submission', textVersion: currentConsentVersion, language } as const
    await recordConsents(ctx, journey, { given: [submission], needed: ['submission'], place })
    await chooseCase(tx, application, at)
  },

  /** The partner has to record it (D3 §1.1). */
  accept: (ctx, journey, _) => decide(ctx, journey, { decision: 'ACCEPT', reason: null }),

  /** An acceptance that was told is not overwritten (D3 §3). */
  decline: (ctx, journey, _, because) =>
    decide(ctx, journey, { decision: 'REJECT', reason: because === null ? { did: 'DECLINED' } : { words: because } }),

  /** If it has offered, it is told of a rejection. */
  withdraw: (ctx, journey) => decide(ctx, journey, { decision: 'REJECT', reason: { did: 'WITHDREW' } }),

  lapse: (ctx, journey) => decide(ctx, journey, { decision: 'EXPIRE', reason: null }),

  /** The account goes to the partner with the lead; whose it is, the partner finds out before it pays (D3 §2.3). */
  async submitAccount({ tx, at, config }, __, offer, ___) {
    await submitWithAccount(tx, await caseAbout(tx, offer), at)
    // The step is done when the statement of this account is here too.
    return wantsStatement(config) ? 'verifying' : 'taken'
  },

  /** The partner has no payment page: the borrower pays by transfer, and tells of it on a page of ours. */
  async requestServicing(ctx, offer, { kind, operationId, requestedPaise }, _) {
    const { tx, at } = ctx
    const application = await caseAbout(tx, offer)
    if (kind === 'STATUS_REFRESH') {
      await askStatus(tx, application, operationId, at)
      return { kind: 'waiting' }
    }
    const owed = kind === 'MISSED_EMI_PAYMENT' ? overdueOf(moneyStatus(ctx, application, at)) : null
    return { kind: 'transfer', duePaise: requestedPaise ?? owed }
  },

  refresh: async ({ tx, at }, offer, cause) => askStatus(tx, await caseAbout(tx, offer), cause, at),
}

/** Nothing is decided where the partner was never asked. */
async function decide(ctx: TxContext, journey: Journey, decision: Decision): Promise<void> {
  const { tx } = ctx
  const application = await caseOf(tx, ctx, journey)
  if (application) await decideCase(ctx, application, decision)
}

async function caseAbout(tx: Tx, offer: Pick<Journey, 'tenantId' | 'journeyId'>): Promise<PartnerCase> {
  const application = await findCaseOf(tx, offer)
  if (!application) throw new Error(`the partner has no case for journey ${offer.journeyId}`)
  return application
}
