// A sandbox with a buyer app that serves its borrowers' fund statements, and helpers that play a loan against mutual funds.
import { after } from 'node:test'
import { invariantsOf } from '@lendloom/conformance/network/v230/invariants'
import { faultText, type NetworkDomain } from '@lendloom/wire/network/context'
import type { Answers } from '@lendloom/wire/network/v230/form-data'
import { readOrder } from '@lendloom/wire/network/v230/read-order'
import type { ReceivedCallback } from './buyer.ts'
import { call } from './buyer.ts'
import {
  applyWith,
  holdings,
  type LamfConversation,
  lamfProfile,
  offerIn,
  searchLamf,
  selectPledges,
  startFileServer,
} from './lamf-journey.ts'
import { openSandbox } from './open-sandbox.ts'

export const panWithDigits = (digits: string): string => `ABCPE${digits}F`
export const orderIn = ({ body }: ReceivedCallback) => readOrder(body.message)
export const codeIn = ({ body }: ReceivedCallback): string => body.error.code
export const textAt = async (address: string): Promise<string> =>
  (await call({ method: 'GET', url: address })).body.toString()

/** A borrower who shares the holdings through an account aggregator instead of a statement. */
export function sharedProfile(digits: string): Answers {
  const { statementUpload: _, ...profile } = lamfProfile(panWithDigits(digits), '')
  return { ...profile, aa_id: '9876500001@sandbox-aa' }
}

export async function lamfSandbox(
  database: () => Promise<string>,
  { env = {}, domain }: { env?: Record<string, string>; domain?: NetworkDomain } = {},
) {
  const { url, buyer } = await openSandbox(database, env)
  const files = await startFileServer({
    'mfc.json': JSON.stringify({ holdings }),
    'other.json': JSON.stringify({ pan: 'ABCPE7777F', holdings }),
    'page.html': '<html>',
  })
  after(() => files.stop())

  /** Plays up to the offer. */
  async function proceedToOffer(slug: string, digits: string, changes: Answers = {}) {
    const conversation = await searchLamf(buyer, slug, domain)
    return applyWith(buyer, conversation, {
      ...lamfProfile(panWithDigits(digits), files.urlOf('mfc.json')),
      ...changes,
    })
  }

  /** Plays up to the quote, with all required units pledged. */
  async function proceedToPledgedQuote(slug: string, digits: string) {
    const conversation = await proceedToOffer(slug, digits)
    const all = offerIn(conversation.answer).schemes.map(({ schemeCode, unitsRequired }) => ({
      schemeCode,
      units: unitsRequired,
    }))
    return selectPledges(buyer, conversation, all)
  }

  /** Checks one conversation against every rule of the network. */
  function faultsOf({ transactionId, lender }: LamfConversation): string[] {
    const messages = buyer.transcript.filter(
      ({ body, party }) =>
        JSON.parse(body).context.transaction_id === transactionId && ['gateway', lender.id].includes(party),
    )
    return invariantsOf(messages, ({ subscriberId }) => buyer.publicKeys.get(subscriberId) ?? null).map(faultText)
  }
  return { url, buyer, files, proceedToOffer, proceedToPledgedQuote, faultsOf }
}
