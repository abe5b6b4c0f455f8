// Speaks with the mandate provider: begins a registration, looks it up, believes its signed callbacks (D3 §6 MANDATE_UPDATED).
import type { MandateStatus } from '#contract/exchange/event/mandate-updated.ts'
import { MandateStatusReport as Answered, type MandateState } from '#contract/provider/mandate.ts'
import { type Paise, paiseFrom, rupees } from '#kit/money/money.ts'
import { type Beginning, type Begun, documentsOf, type ProviderContext } from './client.ts'
import { requestsOf } from './requests.ts'
import type { ProviderDocument, StatusReport } from './status-report.ts'

/** How often the bank lets us debit: once a week, or whenever presented. */
export type MandateFrequency = 'WEEKLY' | 'AS_PRESENTED'

/** The authority is null until the bank has accepted it, and whole from then on. */
export interface MandateStatusReport extends StatusReport<MandateStatus> {
  umrn: string | null
  maximumPaise: Paise | null
  frequency: MandateFrequency | null
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

/** The borrower's consent at the bank is not yet the bank's acceptance. */
const statuses: Record<MandateState, MandateStatus> = {
  register_initiated: 'REQUESTED',
  auth_success: 'PENDING',
  register_success: 'ACTIVE',
  auth_fail: 'REJECTED',
  register_failed: 'REJECTED',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
}

const frequencies = { WEEK: 'WEEKLY', ADHO: 'AS_PRESENTED' } as const

/** An acceptance that lacks its number, limit or dates is none yet: it stays pending until it is whole. */
function statusOf(told: Answered, provider: string): MandateStatusReport {
  const { umrn, maximum_amount, frequency, start_on, end_on } = told
  const isWhole = [umrn, maximum_amount, frequency, start_on, end_on].every((each) => each !== null)
  const said = statuses[told.state]
  const status = said === 'ACTIVE' && !isWhole ? 'PENDING' : said
  return {
    provider,
    reference: told.id,
    status,
    verified: status === 'ACTIVE',
    providerUpdatedAt: new Date(told.updated_at),
    reasonCode: told.reason_code,
    umrn,
    maximumPaise: maximum_amount === null ? null : paiseFrom(maximum_amount),
    frequency: frequency === null ? null : frequencies[frequency],
    validFrom: start_on,
    validUntil: end_on,
    documents: documentsOf(told.files, { mandate_form: 'MANDATE_DOCUMENT' }),
  }
}

const requests = requestsOf('MANDATE', Answered, statusOf)

/** Begins a registration; the same `clientReference` again gives the same one. Refused `upstream`. */
export function createMandate(ctx: ProviderContext, beginning: MandateBeginning): Promise<Begun> {
  const { account, maximumPaise, frequency, validFrom, validUntil } = beginning
  return requests.begin(ctx, beginning, {
    account: {
      holder_name: account.holderName,
      account_number: account.accountNumber,
      ifsc: account.ifsc,
      account_type: account.type,
    },
    maximum_amount: rupees(maximumPaise),
    frequency: frequency === 'WEEKLY' ? 'WEEK' : 'ADHO',
    first_collection_on: validFrom,
    final_collection_on: validUntil,
  })
}

export const {
  fetch: fetchMandate,
  cancel: cancelMandate,
  verifyCallback: verifyMandateCallback,
  download: downloadMandate,
} = requests
