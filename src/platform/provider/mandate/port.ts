// What the platform needs of a mandate provider: a borrower allows debits of an account, and its bank accepts that (D3 §6 MANDATE_UPDATED).
import type { MandateStatus } from '#contract/exchange/event/mandate-updated.ts'
import type { Paise } from '#kit/money/money.ts'
import type { Beginning, RequestPort } from '#platform/provider/request-port.ts'
import type { ProviderDocument, StatusReport } from '#platform/provider/status-report.ts'

/** How often the bank lets us debit: once a week, or whenever presented. */
type MandateFrequency = 'WEEKLY' | 'AS_PRESENTED'

/** The authority is null until the bank has accepted it, and whole from then on. */
export interface MandateStatusReport extends StatusReport<MandateStatus> {
  umrn: string | null
  maximumPaise: Paise | null
  frequency: MandateFrequency | null
  /** Business dates, YYYY-MM-DD. */
  validFrom: string | null
  validUntil: string | null
  documents: ProviderDocument<'MANDATE_DOCUMENT'>[]
}

export interface MandateBeginning extends Beginning {
  account: { holderName: string; accountNumber: string; ifsc: string; type: 'SAVINGS' | 'CURRENT' }
  maximumPaise: Paise
  frequency: MandateFrequency
  /** Business dates of the first and the last debit that the mandate must allow. */
  validFrom: string
  validUntil: string
}

export type MandatePort = RequestPort<MandateBeginning, MandateStatusReport>
