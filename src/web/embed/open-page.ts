// The way to somebody else's page, as far as a browser allows it.
import type { EmbedOpenReply } from '#contract/hosted/embed.ts'
import { here } from './here.ts'

/**
 * Opens the page of a lender or provider in a window of its own: blank at once, because a browser allows it only inside the tap, then
 * sent to the address that the platform gives. The address comes back when the browser refused the window.
 */
export async function openPage(path: string, meanwhile: string, opened: () => void): Promise<string | null> {
  const { session, host, openWindow } = here
  const window = host.opensPages ? null : openWindow()
  if (window) {
    window.opener = null
    window.document.title = meanwhile
    window.document.body.textContent = meanwhile
  }
  let url: string | null = null
  const order = { method: 'POST', path, body: {} } as const
  await session.act<EmbedOpenReply>(order, (reply) => {
    if (/^https?:$/.test(new URL(reply.url).protocol)) url = reply.url
  })
  if (url === null) {
    window?.close()
    return null
  }
  opened()
  if (window && !window.closed) {
    window.location.replace(url)
    return null
  }
  host.tell({ type: 'lab.open', url })
  return host.opensPages ? null : url
}
