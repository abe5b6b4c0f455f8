// Classifies a message: a lifecycle update, a control message, or another sender's. Pure.
import type { ControlMessage } from '#contract/hosted/embed-message.ts'
import type { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'

/** Null for other messages: a receiver ignores those without `borrower.journey.status` (D1 §6.5). */
export function messageIn(data: unknown): LifecycleUpdate | ControlMessage | null {
  if (typeof data !== 'object' || data === null) return null
  const { borrower, type } = data as { borrower?: { journey?: { status?: unknown } }; type?: unknown }
  if (typeof borrower?.journey?.status === 'string') return data as LifecycleUpdate
  return !borrower && typeof type === 'string' && type.startsWith('lab.') ? (data as ControlMessage) : null
}

/** One logical event is one status of one journey, however often it is delivered (D1 §6.4). */
export const keyOf = ({ borrower: { journey } }: LifecycleUpdate): string => `${journey.id} ${journey.status}`

/** The page's requested height within a host's limits. */
export const clampHeight = (height: number): number => Math.min(5_000, Math.max(200, Math.ceil(Number(height) || 0)))
