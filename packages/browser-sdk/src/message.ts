// Classifies received messages. Pure.
import type { ControlMessage } from '@lendloom/wire/hosted/embed-message'
import type { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'

/** Returns a lifecycle update or a control message; null for other messages, which receivers ignore (D1 §6.5). */
export function messageIn(data: unknown): LifecycleUpdate | ControlMessage | null {
  if (typeof data !== 'object' || data === null) return null
  const { borrower, type } = data as { borrower?: { journey?: { status?: unknown } }; type?: unknown }
  if (typeof borrower?.journey?.status === 'string') return data as LifecycleUpdate
  if (borrower || typeof type !== 'string' || !type.startsWith('lab.')) return null
  const message = data as ControlMessage
  if (message.type === 'lab.resize' && !Number.isFinite(message.height)) return null
  if (message.type === 'lab.scroll' && !Number.isFinite(message.top)) return null
  if (message.type === 'lab.open' && !/^https?:\/\//.test(message.url)) return null
  return message
}

/** The key of a logical event: journey and status. Repeated deliveries have the same key (D1 §6.4). */
export const keyOf = ({ borrower: { journey } }: LifecycleUpdate): string => `${journey.id} ${journey.status}`

/**
 * The height of a frame for the height of its content; null if a page can hardly have it. Browsers fail to lay out
 * and paint elements of millions of pixels.
 */
export const frameHeight = (content: number): number | null =>
  content <= 100_000 ? Math.max(200, Math.ceil(content)) : null
