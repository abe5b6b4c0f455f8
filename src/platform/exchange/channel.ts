// The lending partners as a channel to lenders: a case with each of them, and an event for each word of the borrower (D3 §1.1, §6).
import { currentConsentVersion } from '#contract/hosted/consent-text.ts'
import { recordConsents } from '#platform/borrower/consent.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { LenderChannel, LenderOffer } from '#platform/lender/channel.ts'
import { wantsStatement } from './banking.ts'
import { partnerOf } from './call.ts'
import type { PartnerCase } from './case.ts'
import { type Decision, decideCase } from './decide.ts'
import { caseOfOffer, chooseCase, endCase, openCases, submitWithAccount } from './open-case.ts'
import { askStatus, moneyStatus, overdueOf } from './status.ts'
import { listCases } from './store.ts'

export const partnerChannel: LenderChannel = {
  requestOffers: (ctx, journey, { person }) => openCases(ctx, journey, person),

  async hasUnlisted(tx, _, journey) {
    const cases = await listCases(tx, journey)
    return cases.some(({ stage, lenderId }) => stage === 'CHECKING' && lenderId === null)
  },

  /** Choosing the recommendation submits the application; it accepts no offer (D3 §1.1 rule 4). No other partner knows of it. */
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

  /** The partner has to record it (D3 §1.1). */
  accept: (ctx, _, offer) => decide(ctx, offer, { decision: 'ACCEPT', reason: null }),

  /** An acceptance that was told is not overwritten (D3 §3). */
  decline: (ctx, _, offer, because) =>
    decide(ctx, offer, { decision: 'REJECT', reason: because === null ? { did: 'DECLINED' } : { words: because } }),

  /** Whoever has offered is told of a rejection. */
  withdraw: (ctx, journey) => decideAll(ctx, journey, { decision: 'REJECT', reason: { did: 'WITHDREW' } }),

  lapse: (ctx, journey) => decideAll(ctx, journey, { decision: 'EXPIRE', reason: null }),

  /** The account goes to the partner with the lead; whose it is, the partner finds out before it pays (D3 §2.3). */
  async submitAccount(ctx, __, offer, ___) {
    const { tx, at } = ctx
    const application = await caseOfOffer(tx, offer)
    await submitWithAccount(tx, application, at)
    // The step is done when the statement of this account is here too.
    return wantsStatement(await partnerOf(ctx, tx, application)) ? 'verifying' : 'taken'
  },

  /** The partner reports every signature. */
  agreementVisited: async () => {},

  /** The partner has no payment page: the borrower pays by transfer, and tells of it on a page of ours. */
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

async function decide(ctx: TxContext, offer: LenderOffer, decision: Decision): Promise<void> {
  await decideCase(ctx, await caseOfOffer(ctx.tx, offer), decision)
}

/** Nothing is decided where no partner was asked. */
async function decideAll(ctx: TxContext, journey: Journey, decision: Decision): Promise<void> {
  const cases: PartnerCase[] = await listCases(ctx.tx, journey)
  for (const application of cases) await decideCase(ctx, application, decision)
}
