// The consents of a journey, with text, recipients, expiry and state, for the borrower.

import { allOf } from '@lendloom/foundation/all-of'
import { daysAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Run } from '@lendloom/postgres/sql'
import { type ConsentPurpose, consentText } from '@lendloom/wire/hosted/consent-text'
import {
  EmbedConsentsReply,
  type EmbedGivenConsent,
  type EmbedGivenConsents,
} from '@lendloom/wire/hosted/embed-consents'
import { type Context, route } from '#platform/context.ts'
import { embedSession, type SessionBorrower } from '#platform/integrators/access/embed-session.ts'
import { listAaSessions } from '#platform/lenders/network/consent/store.ts'
import { listConsents, type StoredConsent } from '#platform/lending/borrower/store.ts'
import { findFundStatement } from '#platform/lending/fund-statement/store.ts'
import { isLive, type Journey } from '#platform/lending/journey/journey.ts'
import { findJourney } from '#platform/lending/journey/store.ts'
import { isSelected } from '#platform/lending/offer/offer.ts'
import { mayWithdraw } from '#platform/lending/offer/withdraw-consent.ts'
import { registrarNamed } from '#platform/providers/registrar/adapters.ts'
import { uniqueLenders } from './lender-card.ts'
import { searchedOffers } from './store.ts'

export const listGivenConsents = route({
  method: 'GET',
  path: '/api/embed/consents',
  section: 'D1 §3',
  summary: "List the borrower's consents in this journey",
  auth: embedSession,
  hidden: true,
  reply: { 200: EmbedConsentsReply },
  handle: async ({ who }, ctx) => ({ consents: await ctx.db.snapshot((db) => consentsOf(db, ctx, who)) }),
})

/** Reads a journey's consents. Throws `absent` for an unknown journey. */
export async function consentsOf(db: Run, ctx: Context, who: SessionBorrower): Promise<EmbedGivenConsents> {
  const journey = await findJourney(db, who.tenantId, who.journeyId)
  if (!journey) throw new Refusal('absent', 'there is no such journey')
  const { stored, offers, sessions, statement } = await allOf({
    stored: listConsents(db, journey),
    offers: searchedOffers(db, journey),
    sessions: listAaSessions(db, journey),
    statement: findFundStatement(db, journey),
  })
  const lenderList = uniqueLenders(offers)
  const nameOf = (id: string | undefined) => lenderList.find(({ lenderId }) => lenderId === id)?.identity.name ?? ''
  const chosenLender = nameOf(offers.find(isSelected)?.lenderId)
  const recipients: Recipients = {
    all: lenderList.map(({ identity }) => identity.name),
    chosen: chosenLender === '' ? [] : [chosenLender],
    acceptedAt: stored.find(({ purpose }) => purpose === 'key_facts')?.givenAt ?? null,
  }
  const expiresAt = mayWithdraw(journey) ? daysAfter(journey.lastBorrowerActAt, ctx.config.JOURNEY_IDLE_DAYS) : null
  return {
    given: stored.map((consent) => givenConsentView(journey, consent, recipients, expiresAt)),
    atAggregator: sessions.flatMap(({ dispatchedAt, aggregatorId, offerId }) =>
      dispatchedAt === null
        ? []
        : {
            aggregator: aggregatorId,
            lender: nameOf(offers.find((offer) => offer.offerId === offerId)?.lenderId),
            givenAt: dispatchedAt.toISOString(),
          },
    ),
    atRegistrar:
      statement?.status === 'READY'
        ? {
            registrar: registrarNamed(statement.adapter).name,
            givenAt: statement.updatedAt.toISOString(),
          }
        : null,
  }
}

/** Whether a consent concerns all requested lenders instead of only the chosen lender. */
const isForAll = (purpose: ConsentPurpose): boolean => purpose === 'bureau' || purpose === 'data_sharing'

interface Recipients {
  all: string[]
  chosen: string[]
  /** When the borrower accepted the offer of the chosen lender. */
  acceptedAt: Date | null
}

/** The lenders for which a consent to all ended with the acceptance: nothing more is sent to them. */
function endedFor(
  { purpose, withdrawnAt }: Pick<StoredConsent, 'purpose' | 'withdrawnAt'>,
  { all, chosen, acceptedAt }: Recipients,
): EmbedGivenConsent['ended'] {
  const others = all.filter((name) => !chosen.includes(name))
  if (!isForAll(purpose) || withdrawnAt !== null || acceptedAt === null || others.length === 0) return null
  return { lenders: others, at: acceptedAt.toISOString() }
}

const givenConsentView = (
  journey: Journey,
  consent: StoredConsent,
  recipients: Recipients,
  expiresAt: Date | null,
): EmbedGivenConsent => {
  const { consentId, purpose, textVersion, language, givenAt, withdrawnAt } = consent
  const state = consentStateOf(journey, consent)
  return {
    id: consentId,
    purpose,
    textVersion,
    language,
    text: consentText(textVersion, purpose, language) ?? '',
    givenAt: givenAt.toISOString(),
    lenders: isForAll(purpose) ? recipients.all : recipients.chosen,
    ended: endedFor(consent, recipients),
    until: state === 'ENDS' && expiresAt ? expiresAt.toISOString() : null,
    withdrawnAt: withdrawnAt?.toISOString() ?? null,
    standing: state,
  }
}

/** ENDS: the borrower may withdraw the consent. BINDING: part of an open loan. OVER: ended with the journey or the loan. */
export function consentStateOf(
  journey: Pick<Journey, 'active' | 'status' | 'search' | 'closedAt'>,
  { withdrawnAt }: Pick<StoredConsent, 'withdrawnAt'>,
): EmbedGivenConsent['standing'] {
  if (withdrawnAt !== null) return 'WITHDRAWN'
  if (mayWithdraw(journey)) return 'ENDS'
  return isLive(journey) ? 'BINDING' : 'OVER'
}
