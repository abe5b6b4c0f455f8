// The page as one HTML document: style, markup, configuration and script in a single response.
import { createHash } from 'node:crypto'
import type { Boot } from '@lendloom/page/page/boot-config'
import type { CatalogueMessage, Language } from '@lendloom/page/text'

interface DocumentParts {
  language: Language
  texts: Record<string, CatalogueMessage>
  boot: Boot | object
  script: string
  style: string
  markup: string
}

/** Base64 of the SHA-256 of a text, as a content security policy requires it. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/** Without scripts only the `noscript` text is shown, because the form would look usable but do nothing. */
export const noscriptStyle = '#app{display:none}#noscript{padding:1rem}'

/** Throws if the script or style contains the closing tag of its element. */
export function documentOf({ language, texts, boot, script, style, markup }: DocumentParts): string {
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
    throw new Error('the script or style contains the closing tag of its element')
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${texts['page.title']}</title><link rel="icon" href="data:,"><style>${style}</style>`,
    `<noscript><style>${noscriptStyle}</style></noscript></head><body>`,
    `<noscript><p id="noscript">${texts['page.noscript']}</p></noscript><div id="app">${markup}</div>`,
    `<script type="application/json" id="boot">${JSON.stringify(boot).replaceAll('<', '\\u003c')}</script>`,
    `<script>${script}</script></body></html>`,
  ].join('\n')
}
