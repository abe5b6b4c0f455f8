// Speaks with the credit bureau: with the borrower's consent a report is pulled, once (D3 §2.3 bureau).
import type { Readable } from 'node:stream'
import { BureauReport } from '#contract/provider/bureau.ts'
import { type Beginning, documentsOf, download, get, type Line, type ProviderContext, post } from './client.ts'
import type { ProviderDocument } from './status-report.ts'

export interface BureauStatusReport {
  provider: string
  /** NO_HIT is a person without a history: never a low score. */
  status: 'AVAILABLE' | 'NO_HIT' | 'FAILED'
  reference: string
  pulledAt: Date
  score: number | null
  /** The bureau's native report; null unless AVAILABLE. */
  reportData: Record<string, unknown> | null
  /** The bureau's own word, when nothing is available. */
  unavailableReason: string | null
  documents: ProviderDocument<'BUREAU_REPORT'>[]
}

export interface BureauPull extends Pick<Beginning, 'clientReference' | 'person'> {
  /** When the borrower agreed to it. */
  consentedAt: Date
}

const line = ({ config }: ProviderContext): Line => ({
  provider: config.BUREAU_PROVIDER,
  url: config.BUREAU_URL,
  credential: config.BUREAU_CREDENTIAL,
})

/** Pulls a report; the same `clientReference` again gives the same one, for pulls leave marks. Refused `upstream`. */
export async function pullBureau(ctx: ProviderContext, pull: BureauPull): Promise<BureauStatusReport> {
  const { clientReference, person, consentedAt } = pull
  const body = {
    client_reference: clientReference,
    consent: { given_at: consentedAt.toISOString(), purpose: 'LOAN_UNDERWRITING' },
    person: {
      full_name: person.fullName,
      pan: person.pan,
      date_of_birth: person.dateOfBirth,
      mobile: person.mobile,
    },
  }
  return statusOf(ctx, await post(ctx, line(ctx), '/requests', body, BureauReport))
}

/** A report that was pulled. Refused `absent` for a reference the bureau does not know, `upstream`. */
export async function fetchBureau(ctx: ProviderContext, reference: string): Promise<BureauStatusReport> {
  return statusOf(ctx, await get(ctx, line(ctx), `/requests/${encodeURIComponent(reference)}`, BureauReport))
}

/** The bytes of the report, as they come. */
export const downloadBureau = (
  ctx: ProviderContext,
  reference: string,
  document: Pick<ProviderDocument, 'fileId'>,
): Promise<Readable> => download(ctx, line(ctx), reference, document)

const statuses = { HIT: 'AVAILABLE', NO_RECORD: 'NO_HIT', SOURCE_FAILED: 'FAILED' } as const
const noHistory = 'NO_RECORD'

function statusOf(ctx: ProviderContext, told: BureauReport): BureauStatusReport {
  const status = statuses[told.result]
  const reason = { AVAILABLE: null, NO_HIT: noHistory, FAILED: told.error_code ?? told.result }[status]
  return {
    provider: line(ctx).provider,
    status,
    reference: told.report_id,
    pulledAt: new Date(told.pulled_at),
    score: status === 'AVAILABLE' ? told.score : null,
    reportData: told.report as Record<string, unknown> | null,
    unavailableReason: reason,
    documents: documentsOf(told.files, { report: 'BUREAU_REPORT' }),
  }
}
