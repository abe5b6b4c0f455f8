// Tells the lenders of a journey what the borrower decided: over the network, or by the partner exchange.
import { currentConsentVersion, type Language } from '#contract/hosted/consent-text.ts'
import { customerForm } from '#contract/network/v203/page.ts'
import type { Pledge } from '#contract/network/v230/pledge.ts'
import type { Tx } from '#kit/db/sql.ts'
import { type ConsentPlace, recordConsents } from '#platform/borrower/consent.ts'
import type { Context } from '#platform/context.ts'
import { decideCase } from '#platform/exchange/decide.ts'
import { caseOf, chooseCase, endCase } from '#platform/exchange/open-case.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { pledge } from '#platform/network/ask-secured.ts'
import { isSecured } from '#platform/network/dialect.ts'
import { note } from '#platform/network/inbound/note.ts'
import { endConversation } from '#platform/network/open-conversation.ts'
import { changeConversation, readConversation, readConversations } from '#platform/network/store.ts'
import { submitForm } from '#platform/network/submit-form.ts'
import type { Offer } from './offer.ts'

/** What was decided, and where and in which language it was read. */
interface Chosen {
  answers: { requestAmount: string; requestTerm: string }
  branchId: string | null
  pledges: Pledge[]
  place: ConsentPlace
  language: Language
}

/** One was chosen: it is asked for final terms, everybody else receives no more. */
export async function tellChosen(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  offer: Offer,
  { answers, branchId, pledges, place, language }: Chosen,
  at: Date,
): Promise<void> {
  for (const conversation of await readConversations(tx, journey.tenantId, journey.journeyId)) {
    const isChosen = conversation.conversationId === offer.conversationId
    if (isChosen && isSecured(conversation)) await pledge(tx, ctx, conversation, pledges, at)
    else if (isChosen) {
      const chosen = await changeConversation(tx, conversation, { branchId }, at)
      const due = { type: 'form_due', answers } as const
      // A second form about the borrower asks what only the profile knows.
      if (chosen.formHeading === customerForm)
        await note(tx, ctx, journey, chosen.conversationId, due, `form_due:${offer.offerId}`, at)
      else await submitForm(tx, ctx, chosen, 'AMOUNT', answers, at)
    } else await endConversation(tx, conversation, 'the borrower chose another offer', at)
  }
  const application = await caseOf(tx, ctx, journey)
  if (!application) return
  if (offer.via === 'PARTNER') {
    // Choosing the recommendation submits the application; it accepts no offer (D3 §1.1 rule 4).
    const submission = { purpose: 'submission', textVersion: currentConsentVersion, language } as const
    await recordConsents(tx, ctx, journey, [submission], ['submission'], place, at)
    await chooseCase(tx, application, at)
  } else await endCase(tx, application, 'the borrower chose another offer', at)
}

/** The final terms were accepted. The network is told of it by going on; the partner is told, and has to record it (D3 §1.1). */
export async function tellAccepted(tx: Tx, ctx: Context, journey: Journey, offer: Offer, at: Date): Promise<void> {
  if (offer.via === 'NETWORK') return
  const application = await caseOf(tx, ctx, journey)
  if (application) await decideCase(tx, ctx, application, { decision: 'ACCEPT', reason: null }, at)
}

/**
 * An offer was turned down. The network has no message for it, the partner is told. Refused as `wrong-state` when the
 * partner was told that it is accepted: that is not overwritten (D3 §3).
 */
export async function tellTurnedDown(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  offer: Offer,
  because: string,
  at: Date,
): Promise<void> {
  if (offer.via === 'PARTNER') {
    const application = await caseOf(tx, ctx, journey)
    if (application) await decideCase(tx, ctx, application, { decision: 'REJECT', reason: because }, at)
    return
  }
  const conversation = await readConversation(tx, journey.tenantId, journey.journeyId, offer.conversationId)
  if (conversation) await endConversation(tx, conversation, 'the borrower turned the offer down', at)
}

/** The borrower withdrew the consent: no lender is sent anything more, and the partner that has offered is told of a rejection. */
export async function tellWithdrawn(tx: Tx, ctx: Context, journey: Journey, at: Date): Promise<void> {
  const because = 'the borrower withdrew the consent'
  for (const conversation of await readConversations(tx, journey.tenantId, journey.journeyId))
    await endConversation(tx, conversation, because, at)
  const application = await caseOf(tx, ctx, journey)
  if (application) await decideCase(tx, ctx, application, { decision: 'REJECT', reason: because }, at)
}

/** Nothing stands any more. */
export async function tellLapsed(tx: Tx, ctx: Context, journey: Journey, at: Date): Promise<void> {
  for (const conversation of await readConversations(tx, journey.tenantId, journey.journeyId))
    await endConversation(tx, conversation, 'its offer has lapsed', at)
  const application = await caseOf(tx, ctx, journey)
  if (application) await decideCase(tx, ctx, application, { decision: 'EXPIRE', reason: null }, at)
}
