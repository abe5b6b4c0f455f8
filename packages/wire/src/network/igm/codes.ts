// The codes of complaints, for both versions of IGM (FIS12 §20).

/** The categories that both official lists contain. We configure what each sub-category means for loans. */
export const categories = ['ORDER', 'PAYMENT', 'FULFILLMENT'] as const
export const subCategories = ['ORD01', 'ORD02', 'ORD03', 'PMT01', 'PMT02', 'PMT03', 'PMT04', 'FLM01', 'FLM02'] as const

export const knownCategories = [...categories, 'ITEM', 'AGENT'] as const
export const knownSubCategories = [
  ...subCategories,
  'ITM01',
  'ITM02',
  'ITM03',
  'ITM04',
  'FLM03',
  'FLM04',
  'FLM05',
  'FLM06',
  'FLM07',
  'FLM201',
  'AGT01',
  'AGT02',
] as const

export const issueTypes = ['ISSUE', 'GRIEVANCE', 'DISPUTE'] as const
export type IssueType = (typeof issueTypes)[number]

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

/** Finds a code. Official lists and examples differ in hyphens and underscores (`NEED_MORE_INFO`, `THUMBS_UP`). */
export const knownCode = <Code extends string>(codes: readonly Code[], text: string): Code | null => {
  const normalized = text.trim().toUpperCase().replaceAll(/[_\s]/g, '-')
  return codes.find((code) => code.replaceAll('_', '-') === normalized) ?? null
}

export const spellings = (codes: readonly string[]): string[] => [
  ...new Set(codes.flatMap((code) => [code, code.replaceAll('-', '_')])),
]

export const maxActions = 200
