// The page of the console: one document for every address below /console, routed in the browser.
import { NoWebBuild, type Served, type WebBuild } from '#platform/web-build.ts'
import { notBuilt, withoutScript } from './text-en.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The document with its status; where the pages were never built, what is missing and the command that makes it. */
export function consoleDocument(read: () => WebBuild): Served & { status: number } {
  try {
    return { status: 200, ...consolePage(read()) }
  } catch (error) {
    if (!(error instanceof NoWebBuild)) throw error
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${notBuilt.title}</title></head><body><h1>${notBuilt.title}</h1><p>${notBuilt.text}</p><pre>npm run build</pre></body></html>`
    return { status: 503, headers: documentHeaders, body: Buffer.from(html) }
  }
}

/** Holds nothing of anybody: what is shown is asked for by the session. */
function consolePage({ console: { script, style } }: Pick<WebBuild, 'console'>): Served {
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1"><title>Lendloom console</title>',
    `<link rel="icon" href="/favicon.ico"><link rel="stylesheet" href="${style}"></head>`,
    `<body><noscript>${withoutScript}</noscript><script type="module" src="${script}"></script></body></html>`,
  ].join('\n')
  return {
    headers: documentHeaders,
    body: Buffer.from(html),
  }
}

const documentHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}
