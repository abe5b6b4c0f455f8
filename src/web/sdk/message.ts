// Classifies received messages. Pure.
import type { ControlMessage } from '#contract/hosted/embed-message.ts'
import type { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'

/** Returns a lifecycle update or a control message; null for other messages, which receivers ignore (D1 §6.5). */
export function messageIn(data: unknown): LifecycleUpdate | ControlMessage | null {
  if (typeof data !== 'object' || data === null) return null
  const { borrower, type } = data as { borrower?: { journey?: { status?: unknown } }; type?: unknown }
  if (typeof borrower?.journey?.status === 'string') return data as LifecycleUpdate
  return !borrower && typeof type === 'string' && type.startsWith('lab.') ? (data as ControlMessage) : null
}

/** The key of a logical event: journey and status. Repeated deliveries have the same key (D1 §6.4). */
export const keyOf = ({ borrower: { journey } }: LifecycleUpdate): string => `${journey.id} ${journey.status}`

/** Limits the height that the page requests. */
export const clampHeight = (height: number): number => Math.min(5_000, Math.max(200, Math.ceil(Number(height) || 0)))
