// Types of the placeholders of each message, from its English text.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { home } from '@lendloom/cli/src/installation.ts'
import { messagesOf } from '@lendloom/foundation/message-format'
import type { Pages } from './markdown.ts'

const catalogues = {
  'apps/partner/src/records/paper/text': 'LoanPaperPlaceholders',
  'apps/partner/src/origination/review/offer-text': 'OfferPlaceholders',
  'apps/platform/src/lenders/partner/paper-text': 'PaperPlaceholders',
  'apps/platform/src/lending/page-text': 'PagePlaceholders',
  'apps/page/src/text': 'EmbedPlaceholders',
}

export const messagePlaces = (): Pages =>
  Object.fromEntries(
    Object.entries(catalogues).map(([folder, type]) => [`${folder}/places.ts`, placesIn(`${folder}/en.json`, type)]),
  )

function placesIn(path: string, type: string): string {
  const english: Record<string, string | Record<string, string>> = JSON.parse(readFileSync(join(home, path), 'utf8'))
  const sources = Object.entries(english).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [[key, inner]] : Object.entries(inner),
  )
  const lines = Object.entries(messagesOf(Object.fromEntries(sources))).flatMap(([key, message]) => {
    const names = new Set(Array.from(JSON.stringify(message).matchAll(/\{(\w+)\}/g), ([, name]) => `'${name}'`))
    if (typeof message !== 'string') names.add(`'count'`)
    return names.size > 0 ? [`  ${/^\w+$/.test(key) ? key : `'${key}'`}: ${[...names].join(' | ')}`] : []
  })
  return `// Placeholders of each message. Generated from en.json by \`npm run docs\`.\nexport interface ${type} {\n${lines.join('\n')}\n}\n`
}
