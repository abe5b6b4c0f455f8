// The console's page: one document for every path below /console, with client-side routing.
import { html } from '@lendloom/http/markup'
import { pageAnswer } from '@lendloom/http/page-frame'
import type { Answer } from '@lendloom/http/server'
import { NoWebBuild, type WebBuild } from '#platform/api/web-build.ts'
import { missingBuildPage, noScriptText } from './text-en.ts'

const policy = {
  'script-src': `'self'`,
  'style-src': `'self'`,
  'img-src': `'self' data:`,
  'connect-src': `'self'`,
  'frame-src': `'self'`,
  'require-trusted-types-for': `'script'`,
  'trusted-types': `'none'`,
}
const headers = { 'cross-origin-opener-policy': 'same-origin', 'x-frame-options': 'DENY' }

/** Returns the console's HTML; if the web build is missing, a 503 page that names the build command. */
export function consoleDocument(readBuild: () => WebBuild): Answer {
  try {
    return consolePage(readBuild())
  } catch (error) {
    if (!(error instanceof NoWebBuild)) throw error
    const body = html`<h1>${missingBuildPage.title}</h1><p>${missingBuildPage.text}</p><pre>npm run build</pre>`
    return pageAnswer({ title: missingBuildPage.title, status: 503, body, policy, headers })
  }
}

/** The page itself contains no personal data; its script fetches data with the session. */
const consolePage = ({ console: { script, style } }: Pick<WebBuild, 'console'>): Answer =>
  pageAnswer({
    title: 'Lendloom console',
    sheets: [style],
    policy,
    headers,
    body: html`<noscript>${noScriptText}</noscript><script type="module" src="${script}"></script>`,
  })
