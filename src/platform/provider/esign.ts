// Speaks with the e-sign provider: hands in an agreement, looks its signature up, fetches the signed one (D3 §6 ESIGN_UPDATED).
import type { Readable } from 'node:stream'
import { callbackOf, readCallback } from '#contract/provider/callback.ts'
import { EsignStanding as Answered, type EsignState } from '#contract/provider/esign.ts'
import { Received } from '#contract/provider/request.ts'
import {
  type Beginning,
  type Begun,
  beginningOf,
  begunOf,
  callbackSecret,
  documentsOf,
  download,
  get,
  type Line,
  post,
  postPdf,
  type Speaker,
} from './speak.ts'
import type { EsignStatus, ProviderDocument, Standing, Told } from './standing.ts'

/** A signature alone is not yet the signed file: that is one of `documents`, to be fetched and stored. */
export interface EsignStanding extends Standing<EsignStatus> {
  documents: ProviderDocument<'SIGNED_LOAN_AGREEMENT'>[]
}

export interface EsignBeginning extends Beginning {
  /** The agreement to be signed, a PDF. */
  pdf: Buffer
  title: string
}

const line = ({ config }: Speaker): Line => ({
  provider: config.ESIGN_PROVIDER,
  url: config.ESIGN_URL,
  credential: config.ESIGN_CREDENTIAL,
})

/** Hands the agreement in and asks for its signature; the same `clientReference` again gives the same request. Refused `upstream`. */
export async function createEsign(world: Speaker, beginning: EsignBeginning): Promise<Begun> {
  const { file_id } = await postPdf(world, line(world), '/files', beginning.pdf, Received)
  const body = { ...beginningOf(beginning), file_id, title: beginning.title }
  return begunOf(await post(world, line(world), '/requests', body, Answered))
}

/** What the provider's server says now. Refused `absent` for a reference it does not know, `upstream`. */
export async function fetchEsign(world: Speaker, reference: string): Promise<EsignStanding> {
  return standingOf(world, await get(world, line(world), `/requests/${encodeURIComponent(reference)}`, Answered))
}

/** Withdraws a request nobody has signed yet and gives what it is now. Refused as `fetchEsign` is. */
export async function cancelEsign(world: Speaker, reference: string): Promise<EsignStanding> {
  const path = `/requests/${encodeURIComponent(reference)}/cancel`
  return standingOf(world, await post(world, line(world), path, {}, Answered))
}

const Callback = callbackOf(Answered)

/** What a callback proves. Refused `bad-credential`, `malformed`, `invalid`. */
export function verifyEsignCallback(
  world: Speaker,
  raw: Buffer,
  headers: Record<string, string | string[] | undefined>,
  at: Date,
): Told<EsignStanding> {
  const { event_id, data } = readCallback(callbackSecret(world, 'ESIGN_CALLBACK_SECRET'), Callback, raw, headers, at)
  return { providerEventId: event_id, standing: standingOf(world, data) }
}

/** The bytes of the signed agreement, as they come. */
export const downloadEsign = (
  world: Speaker,
  reference: string,
  document: Pick<ProviderDocument, 'fileId'>,
): Promise<Readable> => download(world, line(world), reference, document)

const statuses: Record<EsignState, EsignStatus> = {
  sign_pending: 'REQUESTED',
  signed: 'COMPLETED',
  sign_failed: 'FAILED',
  expired: 'EXPIRED',
  withdrawn: 'CANCELLED',
}

function standingOf(world: Speaker, told: Answered): EsignStanding {
  const status = statuses[told.state]
  return {
    provider: line(world).provider,
    reference: told.id,
    status,
    verified: status === 'COMPLETED',
    providerUpdatedAt: new Date(told.updated_at),
    reasonCode: told.reason_code,
    documents: documentsOf(told.files, { signed_document: 'SIGNED_LOAN_AGREEMENT' }),
  }
}
