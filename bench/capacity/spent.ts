// The cost figures and item kinds that the benchmark `cost` and the capacity model share.

/** Each part has its own processor time. `outside` is the sandbox, which plays lenders, providers and the bank. */
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

/** Resources spent by an installation, by one item, or in one second. */
export interface Spent {
  cpuMs: Record<Part, number>
  /** Bytes of WAL without full-page images. */
  walBytes: Record<Side, number>
  /** Bytes of full-page images. PostgreSQL writes an image at a page's first change after a checkpoint. */
  pageImageBytes: Record<Side, number>
  writes: Record<Side, number>
  /** Growth of tables and indexes in bytes. */
  storedBytes: Record<Side, number>
  requests: Record<Side, number>
  /** Delivery attempts of lifecycle updates. */
  updates: number
  /** Delivery attempts of exchange events by both sides. */
  events: number
  files: number
  fileBytes: number
}

/** Kinds of items; `offers`, `network` and `partner` are journeys, `week` is one week of a partner's loan. */
export const kinds = ['session', 'poll', 'offers', 'network', 'partner', 'week', 'event'] as const
export type Kind = (typeof kinds)[number]

/** Processor time of all our programs and databases, in milliseconds. */
export const ownCpuMs = ({ cpuMs }: Spent): number =>
  parts.reduce((sum, part) => (part === 'outside' ? sum : sum + cpuMs[part]), 0)

export function mapValues<Name extends string>(
  values: Record<Name, number>,
  change: (value: number, name: Name) => number,
): Record<Name, number> {
  const changed = { ...values }
  for (const name in values) changed[name] = change(values[name], name)
  return changed
}
