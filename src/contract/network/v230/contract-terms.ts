// The terms between platform and lender, which never concern the borrower: BAP_TERMS and BPP_TERMS (FIS12 §7.1, §7.2).
import { type TagGroup, tagGroup } from '#contract/network/tags.ts'

export interface ContractTerms {
  staticTerms: string
  offlineContract: boolean
}

const termsTag =
  (code: 'BAP_TERMS' | 'BPP_TERMS') =>
  ({ staticTerms, offlineContract }: ContractTerms): TagGroup =>
    tagGroup(code, { STATIC_TERMS: staticTerms, OFFLINE_CONTRACT: String(offlineContract) }, false)

export const buyerTerms = termsTag('BAP_TERMS')
export const lenderTerms = termsTag('BPP_TERMS')
