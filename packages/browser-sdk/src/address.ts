// Validates the embed URL before the SDK changes the page.

export const usageError = (problem: string): TypeError => new TypeError(`mountLendloom: ${problem}`)

/** Parses a session's URL. Throws a TypeError if a frame cannot load it. */
export function embedAddress(text: string): URL {
  try {
    const url = new URL(text)
    if (/^https?:$/.test(url.protocol)) return url
  } catch {}
  throw usageError('embedUrl must be the URL that POST /api/lab/sessions returned to your server')
}
