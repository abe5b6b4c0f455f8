// Port to a credit bureau: pulls a report once, with the borrower's consent (D3 §2.3 bureau).
import type { Readable } from 'node:stream'
import type { ProviderContext } from '#platform/provider/client.ts'
import type { ProviderRequest } from '#platform/provider/ports.ts'
import type { ProviderDocument } from '#platform/provider/status-report.ts'

export interface BureauStatusReport {
  provider: string
  /** NO_HIT means a person without a history, which is not a low score. */
  status: 'AVAILABLE' | 'NO_HIT' | 'FAILED'
  reference: string
  pulledAt: Date
  score: number | null
  /** The bureau's native report; null unless AVAILABLE. */
  reportData: Record<string, unknown> | null
  /** The bureau's own reason; null when AVAILABLE. */
  unavailableReason: string | null
  documents: ProviderDocument<'BUREAU_REPORT'>[]
}

interface BureauPull extends Pick<ProviderRequest, 'clientReference' | 'person'> {
  /** Time of the borrower's consent. */
  consentedAt: Date
}

export interface BureauPort {
  /**
   * Pulls a report. A repeated `clientReference` returns the same report, because each pull is recorded at the bureau.
   * Throws `upstream`.
   */
  pull(ctx: ProviderContext, pull: BureauPull): Promise<BureauStatusReport>
  /** Returns an earlier report; throws `absent` for an unknown reference, `upstream` without a response. */
  fetch(ctx: ProviderContext, reference: string): Promise<BureauStatusReport>
  /** Streams the bytes of the report. Throws like `fetch`. */
  download(ctx: ProviderContext, reference: string, document: Pick<ProviderDocument, 'fileId'>): Promise<Readable>
}
