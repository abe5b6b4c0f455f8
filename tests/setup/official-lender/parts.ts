// Parts of the strict lender's messages in both versions: tag groups, identity, documents (FIS12 §7, §21).
import type { Talk } from './talk.ts'
import type { Json } from './wire.ts'

export interface TagGroupOptions {
  name?: string
  display?: boolean
  /** Whether entries have a short description. */
  described?: boolean
  names?: Record<string, string>
}

/** Builds a tag group with the names and descriptions of official messages. */
export function group(code: string, values: Record<string, string>, more: TagGroupOptions = {}): Json {
  const { name, display, described = false, names = {} } = more
  return {
    descriptor: { code, ...(name && { name }) },
    ...(display !== undefined && { display }),
    list: Object.entries(values).map(([entry, value]) => ({
      descriptor: {
        code: entry,
        ...(names[entry] && { name: names[entry] }),
        ...(described && { short_desc: entry.toLowerCase().replaceAll('_', ' ') }),
      },
      value,
    })),
  }
}

const contact = group(
  'CONTACT_INFO',
  {
    GRO_NAME: 'Leela Menon',
    GRO_EMAIL: 'gro@official-finance.example',
    GRO_CONTACT_NUMBER: '022-40009901',
    GRO_DESIGNATION: 'Grievance Redressal Officer',
    GRO_ADDRESS: '4 Marine Lines, Mumbai 400020',
    CUSTOMER_SUPPORT_LINK: 'https://official-finance.example/help',
    CUSTOMER_SUPPORT_CONTACT_NUMBER: '1800-000-990',
    CUSTOMER_SUPPORT_EMAIL: 'care@official-finance.example',
  },
  { name: 'Contact Info' },
)
const serviceProvider = group(
  'LSP_INFO',
  {
    LSP_NAME: 'Official Services',
    LSP_EMAIL: 'desk@official-services.example',
    LSP_CONTACT_NUMBER: '022-40009902',
    LSP_ADDRESS: '9 Dhole Patil Road, Pune 411001',
  },
  { name: 'Lsp Info' },
)
export const providerTags = [contact, serviceProvider]

/** What the lender announces in its catalogue, and the buyer repeats in the confirmation. */
export const lenderTerms = { STATIC_TERMS: 'https://official-finance.example/terms', OFFLINE_CONTRACT: 'true' }

export const providerId = 'PROVIDER_9'
export const descriptor = {
  name: 'Official Finance',
  short_desc: 'Loans for everybody',
  long_desc: 'Official Finance Limited, a lender that plays what is published',
  images: [{ url: 'https://official-finance.example/logo.png', size_type: 'sm' }],
}

export const provider = (more: Json = {}): Json => ({ id: providerId, descriptor, ...more, tags: providerTags })

export const inr = (value: string): Json => ({ currency: 'INR', value })
export const row = (title: string, value: string): Json => ({ title, price: { value, currency: 'INR' } })

export const cancellationTerms = [
  { fulfillment_state: { descriptor: { code: 'SANCTIONED' } }, cancellation_fee: { percentage: '3%' } },
  { fulfillment_state: { descriptor: { code: 'DISBURSED' } }, cancellation_fee: { percentage: '5%' } },
  { external_ref: { mimetype: 'text/html', url: 'https://official-finance.example/cancel' } },
]

const documentOf = (code: string, name: string, mime: string): Json => ({
  descriptor: { code, name, short_desc: name, long_desc: name },
  mime_type: mime,
  url: `https://official-finance.example/papers/${code.toLowerCase()}`,
})
export const agreement = documentOf('LOAN_AGREEMENT', 'Loan Agreement', 'application/pdf')
export const orderDocuments = [agreement, documentOf('LOAN_CANCELLATION', 'Loan Cancellation', 'text/html')]

export const form = (id: string, mime: string, url: string): Json => ({
  id,
  mime_type: mime,
  url,
  resubmit: false,
  multiple_sumbissions: false,
})

/** What a catalogue item says about the form with the borrower's profile. */
export const profileInput = (talk: Pick<Talk, 'id' | 'formUrl'>, name: string): Json => ({
  head: {
    descriptor: { name },
    index: { min: 0, cur: 0, max: 0 },
    headings: ['PERSONAL_INFORMATION'],
  },
  form: form(talk.id('PROFILE'), 'text/html', talk.formUrl('PROFILE')),
  required: true,
})

/** The response to a page or form. */
export const response = (id: string, status: string, submissionId: string): Json => ({
  form: { id },
  form_response: { status, submission_id: submissionId },
})

/** The whole month that is `ahead` months from now. */
export function monthAhead(ahead: number): { start: string; end: string } {
  const now = new Date()
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)
  const last = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 1) - 1
  return { start: new Date(first).toISOString(), end: new Date(last).toISOString() }
}
