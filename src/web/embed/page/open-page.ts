// Opening another site's page, within the limits of browsers.
import type { EmbedOpenReply } from '#contract/hosted/embed.ts'
import type { FieldFault } from './api.ts'
import { here } from './here.ts'

interface PostOptions {
  /** Of the request. */
  body?: object
  opened?(): void
  /** What was wrong with the fields of the body. */
  refused?(faults: FieldFault[]): void
}

/**
 * Opens the page of a lender or provider in a window of its own: blank at once, because a browser allows it only inside the tap, then
 * sent to the address that the platform gives. The address comes back when the browser refused the window.
 */
export async function openPage(
  path: string,
  meanwhile: string,
  { body = {}, opened, refused }: PostOptions = {},
): Promise<string | null> {
  const { session, host, openWindow } = here
  const window = host.opensPages ? null : openWindow()
  if (window) {
    window.opener = null
    window.document.title = meanwhile
    window.document.body.textContent = meanwhile
  }
  let url: string | null = null
  const faults = await session.act<EmbedOpenReply>({ method: 'POST', path, body }, (reply) => {
    if (/^https?:$/.test(new URL(reply.url).protocol)) url = reply.url
  })
  if (url === null) {
    window?.close()
    refused?.(faults ?? [])
    return null
  }
  opened?.()
  if (window && !window.closed) {
    window.location.replace(url)
    return null
  }
  host.tell({ type: 'lab.open', url })
  return host.opensPages ? null : url
}
