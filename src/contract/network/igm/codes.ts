// The words of IGM 1.0.0: which may be sent, and in which spellings they may come (FIS12 §20).

/**
 * Categories and sub-categories that both official lists allow. What each sub-category means is not told for loans, so
 * it is a matter of configuration; a longer list is accepted from others.
 */
export const categories = ['ORDER', 'PAYMENT', 'FULFILLMENT'] as const
export const subCategories = [
  ...['ORD01', 'ORD02', 'ORD03'],
  ...['PMT01', 'PMT02', 'PMT03', 'PMT04'],
  ...['FLM01', 'FLM02'],
] as const

export const knownCategories = [...categories, 'ITEM', 'AGENT'] as const
export const knownSubCategories = [
  ...subCategories,
  ...['ITM01', 'ITM02', 'ITM03', 'ITM04'],
  ...['FLM03', 'FLM04', 'FLM05', 'FLM06', 'FLM07', 'FLM201'],
  ...['AGT01', 'AGT02'],
] as const

export const issueTypes = ['ISSUE', 'GRIEVANCE', 'DISPUTE'] as const
export type IssueType = (typeof issueTypes)[number]

/** INFO_PROVIDED is in the schema of the network only. */
export const issueStatuses = ['OPEN', 'CLOSED', 'INFO_PROVIDED'] as const

export const complainantActions = ['OPEN', 'ESCALATE', 'CLOSE'] as const
export type ComplainantActionName = (typeof complainantActions)[number]

export const respondentActions = ['PROCESSING', 'CASCADED', 'NEED-MORE-INFO', 'RESOLVED'] as const
export type RespondentActionName = (typeof respondentActions)[number]

export const resolutionActions = [
  'REFUND',
  'REPLACEMENT',
  'CANCEL',
  'NO-ACTION',
  'RECONCILED',
  'NOT-RECONCILED',
] as const
export type ResolutionAction = (typeof resolutionActions)[number]

export const ratings = ['THUMBS-UP', 'THUMBS-DOWN'] as const
export type Rating = (typeof ratings)[number]

export const participantTypes = ['INTERFACING-NP', 'TRANSACTION-COUNTERPARTY-NP', 'CASCADED-COUNTERPARTY-NP'] as const

/** The first is spelt without its R in the official list; both are taken. */
export const officerTypes = [
  'INTEFACING-NP-GRO',
  'INTERFACING-NP-GRO',
  'TRANSACTION-COUNTERPARTY-NP-GRO',
  'CASCADED-COUNTERPARTY-NP-GRO',
] as const

/** Official lists and examples disagree on hyphens and underscores (`NEED_MORE_INFO`, `THUMBS_UP`): both are one code. */
export const knownCode = <W extends string>(words: readonly W[], text: string): W | null => {
  const plain = text.trim().toUpperCase().replaceAll(/[_\s]/g, '-')
  return words.find((word) => word.replaceAll('_', '-') === plain) ?? null
}

/** Every spelling of the words that is accepted, for the rules. */
export const spellings = (words: readonly string[]): string[] => [
  ...new Set(words.flatMap((word) => [word, word.replaceAll('-', '_')])),
]
