// Search: to all lenders for their catalogues, then to one with the borrower's form or a consent that was given (FIS12 §10.2 rows 1–3).
import { invalid } from '#kit/http/refusal.ts'
import { parse } from '#kit/http/schema.ts'
import { type Answers, answersOf } from './form-data.ts'
import { buyerTerms, type ContractTerms } from './order.ts'
import { consentAnswer, headingOf, profileAnswer } from './page.ts'
import { SearchMessage } from './schema.ts'

/** Writes the `message` of a broadcast search. */
export const search = (terms: ContractTerms) => ({
  intent: { category: { descriptor: { code: 'LOAN' } }, ...settledBy(terms) },
})

const settledBy = (terms: ContractTerms) => ({ payment: { collected_by: 'BPP' }, tags: [buyerTerms(terms)] })

/** Which item of which lender is meant; `formId` is that of the form or of the consent it asked for. */
export interface ItemReference {
  providerId: string
  itemId: string
  formId: string
  terms: ContractTerms
}

/** The borrower's form, which asks one lender for offers. Such a search is posted to the lender, not to the gateway. */
export const searchWithProfile = ({ formId, answers, ...directedTo }: ItemReference & { answers: Answers }) =>
  directed(directedTo, profileAnswer(formId, answers))

/** The consent was given at the account aggregator: the lender may read the holdings now (FIS12 §7.8). */
export const searchWithConsent = ({ formId, submissionId, ...directedTo }: ItemReference & { submissionId: string }) =>
  directed(directedTo, consentAnswer(formId, submissionId))

const directed = <XInput>({ providerId, itemId, terms }: Omit<ItemReference, 'formId'>, xinput: XInput) => ({
  intent: { provider: { id: providerId, items: [{ id: itemId, xinput }] }, ...settledBy(terms) },
})

/** What a lender reads of a search. */
export type SearchRequest =
  | { kind: 'broadcast'; category: string }
  | { kind: 'profile'; providerId: string; itemId: string; formId: string; answers: Answers }
  | { kind: 'consent'; providerId: string; itemId: string; formId: string; submissionId: string | null }

/** Throws a `Refusal` of kind `invalid` naming the path. */
export function readSearch(message: unknown): SearchRequest {
  const { intent } = parse(SearchMessage, message, 'message')
  if (!intent.provider) {
    if (!intent.category) throw invalid({ path: 'message.intent.category', message: 'is required' })
    return { kind: 'broadcast', category: intent.category.descriptor.code }
  }
  const { id: providerId, items } = intent.provider
  const { id: itemId, xinput } = items[0]
  if (!xinput?.form) throw invalid({ path: 'message.intent.provider.items.0.xinput.form', message: 'is required' })
  const reference = { providerId, itemId, formId: xinput.form.id }
  return headingOf(xinput) === 'CONSENT_APPROVAL'
    ? { kind: 'consent', ...reference, submissionId: xinput.form_response?.submission_id || null }
    : { kind: 'profile', ...reference, answers: answersOf(xinput.form.data) }
}
