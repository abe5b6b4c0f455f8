// A sandbox with a buyer app and the statements of its borrowers, and the ways of a loan against mutual funds in it.
import { after } from 'node:test'
import { invariantsOf } from '#conformance/network/v230/invariants.ts'
import { faultText } from '#contract/network/context.ts'
import type { Answers } from '#contract/network/v230/form-data.ts'
import { readOrder } from '#contract/network/v230/read-order.ts'
import { call } from '#kit/http/client.ts'
import type { ReceivedCallback } from './buyer.ts'
import {
  applyingWith,
  holdings,
  lamfProfile,
  offerIn,
  type PlayedLamf,
  pledging,
  searchingLamf,
  startFileServer,
} from './lamf-journey.ts'
import { openSandbox } from './open-sandbox.ts'

export const pan = (digits: string): string => `ABCPE${digits}F`
export const orderIn = ({ body }: ReceivedCallback) => readOrder(body.message)
export const codeIn = ({ body }: ReceivedCallback): string => body.error.code
export const textAt = async (address: string): Promise<string> =>
  (await call({ method: 'GET', url: address })).body.toString()

/** Who shares the holdings instead of a statement. */
export function sharedProfile(digits: string): Answers {
  const { statementUpload: _, ...profile } = lamfProfile(pan(digits), '')
  return { ...profile, aa_id: '9876500001@sandbox-aa' }
}

export async function lamfSandbox(database: () => Promise<string>) {
  const { url, buyer } = await openSandbox(database)
  const files = await startFileServer({
    'mfc.json': JSON.stringify({ holdings }),
    'other.json': JSON.stringify({ pan: 'ABCPE7777F', holdings }),
    'page.html': '<html>',
  })
  after(() => files.stop())

  /** … up to the offer. */
  async function offered(slug: string, digits: string, more: Answers = {}) {
    const played = await searchingLamf(buyer, slug)
    return applyingWith(buyer, played, { ...lamfProfile(pan(digits), files.urlOf('mfc.json')), ...more })
  }

  /** … up to the quote, all that is asked for being pledged. */
  async function quoted(slug: string, digits: string) {
    const played = await offered(slug, digits)
    const all = offerIn(played.answer).schemes.map(({ schemeCode, unitsRequired }) => ({
      schemeCode,
      units: unitsRequired,
    }))
    return pledging(buyer, played, all)
  }

  /** What is wrong with one conversation, by every rule of the network. */
  function faultsOf({ transactionId, lender }: PlayedLamf): string[] {
    const own = buyer.transcript.filter(
      ({ body, party }) =>
        JSON.parse(body).context.transaction_id === transactionId && ['gateway', lender.id].includes(party),
    )
    return invariantsOf(own, ({ subscriberId }) => buyer.publicKeys.get(subscriberId) ?? null).map(faultText)
  }
  return { url, buyer, files: files, offered, quoted, faultsOf }
}
