// Opens a page of another site in a new window.
import type { EmbedOpenReply } from '@lendloom/wire/hosted/embed-requests'
import type { FieldFault } from './api.ts'
import { page } from './page-state.ts'

interface PostOptions {
  body?: object
  onOpen?(): void
  /** Called with the errors of the body's fields. */
  onFault?(faults: FieldFault[]): void
}

/**
 * Opens a lender's or provider's page. Browsers allow a new window only during the tap, so a blank one is opened at once
 * and redirected when the platform has returned the URL. Returns the URL if the browser blocked the window.
 */
export async function openPage(
  path: string,
  placeholder: string,
  { body = {}, onOpen, onFault }: PostOptions = {},
): Promise<string | null> {
  const { session, host, openWindow } = page
  const window = host.opensPages ? null : openWindow()
  if (window) {
    window.opener = null
    window.document.title = placeholder
    window.document.body.textContent = placeholder
    window.document.documentElement.style.cssText = 'color-scheme:light dark;font:1rem system-ui;padding:1rem'
  }
  let url: string | null = null
  const faults = await session.act<EmbedOpenReply>({ method: 'POST', path, body }, (reply) => {
    if (/^https?:$/.test(new URL(reply.url).protocol)) url = reply.url
  })
  if (url === null) {
    window?.close()
    onFault?.(faults ?? [])
    return null
  }
  onOpen?.()
  if (window && !window.closed) {
    window.location.replace(url)
    return null
  }
  host.send({ type: 'lab.open', url })
  return host.opensPages ? null : url
}
