// The platform's port to a credit bureau: a report is pulled once, with the borrower's consent (D3 §2.3 bureau).
import type { Readable } from 'node:stream'
import type { ProviderContext } from '#platform/provider/client.ts'
import type { ProviderRequest } from '#platform/provider/ports.ts'
import type { ProviderDocument } from '#platform/provider/status-report.ts'

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

interface BureauPull extends Pick<ProviderRequest, 'clientReference' | 'person'> {
  /** When the borrower agreed to it. */
  consentedAt: Date
}

export interface BureauPort {
  /**
   * Pulls a report; a repeated `clientReference` returns the same one, because pulls leave marks. Refused `upstream`.
   */
  pull(ctx: ProviderContext, pull: BureauPull): Promise<BureauStatusReport>
  /** A report that was pulled. Refused `absent` for a reference the bureau does not know, `upstream`. */
  fetch(ctx: ProviderContext, reference: string): Promise<BureauStatusReport>
  /** The bytes of the report, streamed. Refused as `fetch` is. */
  download(ctx: ProviderContext, reference: string, document: Pick<ProviderDocument, 'fileId'>): Promise<Readable>
}
