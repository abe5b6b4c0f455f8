// Opening another site's page, within the limits of browsers.
import type { EmbedOpenReply } from '#contract/hosted/embed.ts'
import type { FieldFault } from './api.ts'
import { here } from './here.ts'

interface PostOptions {
  /** Of the request. */
  body?: object
  opened?(): void
  /** Called with faults of the body's fields. */
  refused?(faults: FieldFault[]): void
}

/**
 * Opens a lender's or provider's page in a new window: blank at once, because browsers allow that only within the tap,
 * then redirected to the platform's address. Returns the address when the browser refused the window.
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
