// Speaks with the identity provider: begins a session, looks it up, believes its signed callbacks, fetches its papers (D3 §6 KYC_UPDATED).
import type { Readable } from 'node:stream'
import { callbackOf, readCallback } from '#contract/provider/callback.ts'
import { KycSession, type KycState } from '#contract/provider/kyc.ts'
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
  type Speaker,
} from './speak.ts'
import type { KycStatus, ProviderDocument, Standing, Told } from './standing.ts'

/** Papers alone, or a video call with an official's judgement after it. */
export type KycMode = 'STANDARD' | 'VIDEO_AND_MANUAL_REVIEW'

export type KycDocumentType = 'KYC_REPORT' | 'AADHAAR_VERIFICATION_PDF' | 'PAN_VERIFICATION_PDF' | 'VKYC_RECORDING'

export interface KycStanding extends Standing<KycStatus> {
  mode: KycMode
  /** What the provider has made so far: for video also the recording. Nothing before a review or an approval. */
  documents: ProviderDocument<KycDocumentType>[]
}

export interface KycBeginning extends Beginning {
  mode: KycMode
}

const line = ({ config }: Speaker): Line => ({
  provider: config.KYC_PROVIDER,
  url: config.KYC_URL,
  credential: config.KYC_CREDENTIAL,
})

/** Begins a session; the same `clientReference` again gives the same one. Refused `upstream`. */
export async function createKyc(world: Speaker, beginning: KycBeginning): Promise<Begun> {
  const mode = beginning.mode === 'STANDARD' ? 'DIGILOCKER' : 'VIDEO'
  return begunOf(await post(world, line(world), '/requests', { ...beginningOf(beginning), mode }, KycSession))
}

/** What the provider's server says now. Refused `absent` for a reference it does not know, `upstream`. */
export async function fetchKyc(world: Speaker, reference: string): Promise<KycStanding> {
  return kycStandingOf(world, await get(world, line(world), `/requests/${encodeURIComponent(reference)}`, KycSession))
}

const Callback = callbackOf(KycSession)

/** What a callback proves. Refused `bad-credential`, `malformed`, `invalid`. */
export function verifyKycCallback(
  world: Speaker,
  raw: Buffer,
  headers: Record<string, string | string[] | undefined>,
  at: Date,
): Told<KycStanding> {
  const { event_id, data } = readCallback(callbackSecret(world, 'KYC_CALLBACK_SECRET'), Callback, raw, headers, at)
  return { providerEventId: event_id, standing: kycStandingOf(world, data) }
}

/** The bytes of one of its documents, as they come. */
export const downloadKyc = (
  world: Speaker,
  reference: string,
  document: Pick<ProviderDocument, 'fileId'>,
): Promise<Readable> => download(world, line(world), reference, document)

const statuses: Record<KycState, KycStatus> = {
  LINK_SENT: 'REQUESTED',
  UNDER_REVIEW: 'REVIEW_READY',
  VERIFIED: 'APPROVED',
  REJECTED: 'REJECTED',
  CALL_ENDED: 'TERMINATED',
  LINK_EXPIRED: 'EXPIRED',
}

const types: Record<string, KycDocumentType> = {
  kyc_report: 'KYC_REPORT',
  aadhaar_xml_pdf: 'AADHAAR_VERIFICATION_PDF',
  pan_pdf: 'PAN_VERIFICATION_PDF',
  video: 'VKYC_RECORDING',
}

function kycStandingOf(world: Speaker, session: KycSession): KycStanding {
  const status = statuses[session.state]
  return {
    provider: line(world).provider,
    reference: session.id,
    mode: session.mode === 'DIGILOCKER' ? 'STANDARD' : 'VIDEO_AND_MANUAL_REVIEW',
    status,
    verified: status === 'APPROVED',
    providerUpdatedAt: new Date(session.updated_at),
    reasonCode: session.reason_code,
    documents: documentsOf(session.files, types),
  }
}
