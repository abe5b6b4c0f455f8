// The terms between platform and lender, which never concern the borrower: BAP_TERMS and BPP_TERMS (FIS12 §7.1, §7.2).
import { type TagGroup, tagGroup, tagsOf } from '#contract/network/tags.ts'

export interface ContractTerms {
  staticTerms: string
  offlineContract: boolean
}

const termsTag =
  (code: 'BAP_TERMS' | 'BPP_TERMS') =>
  ({ staticTerms, offlineContract }: ContractTerms): TagGroup =>
    tagGroup(code, { STATIC_TERMS: staticTerms, OFFLINE_CONTRACT: String(offlineContract) })

export const buyerTerms = termsTag('BAP_TERMS')
export const lenderTerms = termsTag('BPP_TERMS')

/** The lender's, to be repeated to it; null when it did not state them. */
export function lenderTermsOf(tags: readonly TagGroup[] | undefined): ContractTerms | null {
  const terms = tagsOf(tags, 'BPP_TERMS')
  if (terms?.STATIC_TERMS === undefined) return null
  return { staticTerms: terms.STATIC_TERMS, offlineContract: terms.OFFLINE_CONTRACT?.toLowerCase() === 'true' }
}
