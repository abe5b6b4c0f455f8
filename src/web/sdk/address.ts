// The addresses that the SDK can load: checked before anything is put into the page.

export const misused = (what: string): TypeError => new TypeError(`mountLendloom: ${what}`)

/** The address of a session as a URL. Throws a TypeError with the reason when a frame cannot load it. */
export function embedAddress(text: string): URL {
  try {
    const url = new URL(text)
    if (/^https?:$/.test(url.protocol)) return url
  } catch {}
  throw misused('embedUrl must be the address that POST /api/lab/sessions gave your server')
}
