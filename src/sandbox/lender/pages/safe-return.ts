// The way back from a page, to whoever sent the borrower.
import type { Conversation } from '#sandbox/lender/core/conversation.ts'

/** Where the borrower may be sent back to: only to the host of the buyer app whose conversation this is. */
export function safeReturn(
  wanted: string | undefined,
  { bapUri, bapAddress }: Pick<Conversation, 'bapUri' | 'bapAddress'>,
): string | null {
  const url = wanted === undefined ? null : URL.parse(wanted)
  return url && /^https?:$/.test(url.protocol) && url.hostname === new URL(bapAddress ?? bapUri).hostname
    ? url.href
    : null
}
