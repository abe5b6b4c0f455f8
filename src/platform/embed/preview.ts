// The first screen of the hosted page for a frame of the console: the page's own markup and rules, with nothing that runs.
// Whatever a theme may change is a variable in it, so that the console shows a choice before it is saved.
import { inHex } from '#kit/design/colour.ts'
import { inTone, resolved, type Token, tokensWith } from '#kit/design/style.ts'
import { fontOf, type Theme, themed, themeTokens } from '#kit/design/theme.ts'
import { pageHeaders, sourceOf } from '#kit/http/page-frame.ts'
import { type Answer, answer } from '#kit/http/server.ts'
import type { WebBuild } from '#platform/web-build.ts'
import { brand, logoRules, withStyle } from './page-theme.ts'

interface Preview {
  name: string
  theme: Theme
  tone: keyof Token
}

export function previewPage(build: WebBuild, { name, theme, tone }: Preview): Answer {
  const style = previewStyle(build, theme, tone)
  const document = withStyle(build, 'en', { style, name })
    .replace(/<noscript>.*?<\/noscript>/gs, '')
    .replace(/<script.*?<\/script>/gs, '')
    .replace('<body>', '<body inert>')
    // One choice is made, so that its colours are seen.
    .replace('type="radio"', 'type="radio" checked')
  return answer(200, document, {
    ...pageHeaders({
      ...{ 'style-src': sourceOf(style), 'img-src': `'self' data:` },
      ...{ 'frame-ancestors': `'self'`, sandbox: 'allow-same-origin' },
    }),
    'cross-origin-resource-policy': 'same-origin',
  })
}

/** Without two of its fields the screen is as long as a phone, with the button in sight. */
const short = 'form>:has(.date),form>:has([name=personalemail]){display:none}'

function previewStyle({ themed: { rules, colours } }: WebBuild, theme: Theme, tone: keyof Token): string {
  const tokens = tokensWith('large', themeTokens(theme))
  const values = [...colours, ...themed, '--accent-deep'].map(
    (name) => `${name}:${inHex(tokens.get(name)?.[tone] ?? '')}`,
  )
  const root = `:root{color-scheme:${tone};font-family:var(--font,${fontOf(theme)});${values.join(';')}}`
  // The console says which of the two the logo is, and where it has none neither holds.
  const header = Object.entries(logoRules).map(([kind, each]) => `html[data-logo=${kind}]{${inTone(each, tone)}}`)
  return `${root}${rules}${short}.main{border-color:var(--rim,transparent)}${resolved(brand + header.join(''), 'large')}`
}
