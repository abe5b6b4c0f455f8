// Writes and reads the terms between platform and lender: BAP_TERMS and BPP_TERMS (FIS12 §7.1, §7.2).

import { type TagGroup, tagGroup, tagsOf } from './tags.ts'

/** They do not concern the borrower. */
export interface ContractTerms {
  staticTerms: string
  offlineContract: boolean
}

/** The terms of both parties of a loan. */
export interface Contract {
  buyer: ContractTerms
  lender: ContractTerms
}

const writerOf =
  (code: 'BAP_TERMS' | 'BPP_TERMS') =>
  ({ staticTerms, offlineContract }: ContractTerms): TagGroup =>
    tagGroup(code, { STATIC_TERMS: staticTerms, OFFLINE_CONTRACT: String(offlineContract) })

export const writeBuyerTerms = writerOf('BAP_TERMS')
export const writeLenderTerms = writerOf('BPP_TERMS')
export const writeContract = ({ buyer, lender }: Contract): TagGroup[] => [
  writeBuyerTerms(buyer),
  writeLenderTerms(lender),
]

const readerOf =
  (code: 'BAP_TERMS' | 'BPP_TERMS') =>
  (tags: readonly TagGroup[] | undefined): ContractTerms | null => {
    const terms = tagsOf(tags, code)
    if (terms?.STATIC_TERMS === undefined) return null
    return { staticTerms: terms.STATIC_TERMS, offlineContract: terms.OFFLINE_CONTRACT?.toLowerCase() === 'true' }
  }

/** The buyer app's terms, as a lender reads them; null if missing. */
export const readBuyerTerms = readerOf('BAP_TERMS')
/** The lender's terms, which `confirm` repeats; null if missing. */
export const readLenderTerms = readerOf('BPP_TERMS')
