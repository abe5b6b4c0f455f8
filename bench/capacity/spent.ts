// What is counted of an installation, and of what: the names that the benchmark `cost` and the model of capacity share.

/** Whose processor time is told apart; `outside` is the sandbox, which stands for lenders, providers and the bank. */
export const parts = [
  'platformApi',
  'platformWorker',
  'platformDatabase',
  'partnerApi',
  'partnerWorker',
  'partnerDatabase',
  'outside',
] as const
export type Part = (typeof parts)[number]

export const sides = ['platform', 'partner'] as const
export type Side = (typeof sides)[number]

/** What was spent. Of an installation, of one journey, or in a second, as whoever has it says. */
export interface Spent {
  cpuMs: Record<Part, number>
  /**
   * Bytes of WAL without images of whole pages, and those: an image is written at the first change of a page after a
   * checkpoint, so there are the more of them the larger a database is, and the rarer its pages are changed.
   */
  walBytes: Record<Side, number>
  pageImageBytes: Record<Side, number>
  /** Transactions that wrote. */
  writes: Record<Side, number>
  /** Bytes that tables have grown by, with their indexes. */
  storedBytes: Record<Side, number>
  /** Requests that were answered. */
  requests: Record<Side, number>
  /** Tries to deliver a lifecycle update, and an event of the exchange, of both sides. */
  updates: number
  events: number
  files: number
  fileBytes: number
}

/** What is counted: one session, one look of a page, one journey of each way, one week of a loan, one event. */
export const kinds = ['session', 'look', 'offers', 'network', 'partner', 'week', 'event'] as const
export type Kind = (typeof kinds)[number]

/** Processor time of all programs and databases of ours, in milliseconds. */
export const ownCpuMs = ({ cpuMs }: Spent): number =>
  parts.reduce((sum, part) => (part === 'outside' ? sum : sum + cpuMs[part]), 0)

/** The same names with other values. */
export function mapped<Name extends string>(
  values: Record<Name, number>,
  change: (value: number, name: Name) => number,
): Record<Name, number> {
  const changed = { ...values }
  for (const name in values) changed[name] = change(values[name], name)
  return changed
}
