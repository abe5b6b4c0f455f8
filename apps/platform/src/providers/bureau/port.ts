// Port to a credit bureau, from which the platform pulls one report with the borrower's consent (D3 §2.3 bureau).
import type { Readable } from 'node:stream'
import type { ProviderRequest } from '#platform/providers/ports.ts'
import type { ProviderContext } from '#platform/providers/provider-client.ts'
import type { ProviderDocument } from '#platform/providers/status-report.ts'

export interface BureauStatusReport {
  provider: string
  /** NO_HIT: the person has no credit history, which is not the same as a low score. */
  status: 'AVAILABLE' | 'NO_HIT' | 'FAILED'
  reference: string
  pulledAt: Date
  score: number | null
  /** The report in the bureau's own format; null unless AVAILABLE. */
  reportData: Record<string, unknown> | null
  /** The bureau's reason code; null when AVAILABLE. */
  unavailableReason: string | null
  documents: ProviderDocument<'BUREAU_REPORT'>[]
}

interface PullRequest extends Pick<ProviderRequest, 'clientReference' | 'person'> {
  /** When the borrower consented to the pull. */
  consentedAt: Date
}

export interface BureauPort {
  /**
   * Pulls a report. The bureau records each pull, so a repeated `clientReference` returns the first report instead, even
   * if the time of the consent differs. Throws `upstream` when the bureau is unavailable.
   */
  pull(ctx: ProviderContext, request: PullRequest): Promise<BureauStatusReport>
  /** Returns an earlier report. Throws `absent` for an unknown reference, and `upstream` without a response. */
  fetch(ctx: ProviderContext, reference: string): Promise<BureauStatusReport>
  /** Streams the bytes of a document. Throws the errors of `fetch`. */
  download(ctx: ProviderContext, reference: string, document: Pick<ProviderDocument, 'fileId'>): Promise<Readable>
}
