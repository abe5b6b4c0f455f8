// Builds a dictionary with which the seal compresses values, from the values that journeys store.

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isObject } from '@lendloom/foundation/record'
import { partnerColumns } from '@lendloom/partner/src/sealed-columns.ts'
import { platformColumns } from '@lendloom/platform/src/sealed-columns.ts'
import { bytesIn, readValue, type SealedRow } from '@lendloom/postgres/reseal-values'
import type { Db } from '@lendloom/postgres/sql'
import { type Seal, sealWith } from '@lendloom/seal/seal'
import type { SealedColumn } from '@lendloom/seal/sealed-column'
import { eventTypes } from '@lendloom/wire/exchange/event-catalogue'
import { exampleEvent } from '@lendloom/wire/exchange/example/event'
import { type Installation, startInstallation } from '../proofs/setup/installation.ts'
import { playJourney } from './setup/page-borrower.ts'

export const about = `No measurement: builds a dictionary for the seal (packages/seal/src/compress.ts) from what journeys store
Plays journeys to both kinds of disbursal, opens what the platform and the partner stored, and adds an example of each
event of the exchange. Of these it keeps the names of fields and the codes of packages/wire/src, and no other text or number,
so that the dictionary holds no person's data and no data of the sandbox's lenders. A dictionary in use must not change.
Options: --out <file>, --journeys <n> (4) of each kind, --below <n> bytes: only from shorter values.`

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      out: { type: 'string' },
      journeys: { type: 'string', default: '4' },
      below: { type: 'string', default: 'Infinity' },
    },
  })
  if (values.out === undefined) throw new Error('--out is missing')
  const installation = await startInstallation({ each: 1, env: { LENDLOOM_TIME_SCALE: '1' } })
  try {
    for (const end of ['partner', 'network'] as const)
      await Promise.all(Array.from({ length: Number(values.journeys) }, () => playJourney(end, installation)))
    const events = eventTypes.map((type) => JSON.stringify(exampleEvent(type)))
    const texts = [...(await storedTexts(installation)), ...events].filter(
      ({ length }) => length < Number(values.below),
    )
    const dictionary = dictionaryOf(texts, codesOf('packages/wire/src/**/*.ts'))
    writeFileSync(values.out, dictionary)
    console.log(`${values.out}: ${dictionary.length} bytes from ${texts.length} values`)
  } finally {
    await installation.stop()
  }
}

async function storedTexts({ db, partnerDb, seal, env }: Installation): Promise<string[]> {
  const partnerSeal = sealWith(env.partner.LENDLOOM_KEYS ?? '')
  const texts: string[] = []
  for (const column of platformColumns) texts.push(...(await textsIn(db, seal, column)))
  for (const column of partnerColumns) texts.push(...(await textsIn(partnerDb, partnerSeal, column)))
  return texts
}

async function textsIn(db: Db, seal: Seal, column: SealedColumn): Promise<string[]> {
  const { rows } = await db.pool.query<SealedRow>(`select ${column.key.join(', ')} from ${column.table}`)
  const texts: string[] = []
  for (const row of rows) {
    const found = await readValue(db, column, row)
    if (found) texts.push(seal.open(bytesIn(found.value), found.context).toString('utf8'))
  }
  return texts
}

/** The quoted texts and the codes in these sources, without examples, names of people, addresses and numbers. */
function codesOf(sources: string): Set<string> {
  const paths = globSync(sources, { exclude: ['**/*.test.ts', '**/example/**', '**/sandbox/**'] })
  const code = paths.map((path) => readFileSync(path, 'utf8')).join('\n')
  const found = [...code.matchAll(/'([^'\n]+)'|\b([A-Z][A-Z_]+):/g)].map(([, text, name]) => text ?? name ?? '')
  return new Set(found.filter((text) => /[A-Za-z]{2}/.test(text) && !/@|\/\/|\d{3}/.test(text)))
}

/** The seal compresses no shorter texts. */
const minTextLength = 128
/** Deflate looks back no further. */
const maxLength = 32_768

/** The longest texts are last, because the end of a dictionary is the cheapest to refer to. Each member occurs once. */
function dictionaryOf(texts: string[], codes: Set<string>): string {
  const outlines = new Set(texts.filter(({ length }) => length >= minTextLength).map((text) => outlineOf(text, codes)))
  const longestFirst = [...outlines].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  const seen = new Set<string>()
  const parts = longestFirst.map((outline) =>
    outline.split(/(?<=,)/).filter((member) => !seen.has(member) && seen.add(member)),
  )
  return parts.reverse().flat().join('').slice(-maxLength)
}

/** A text without its values, except codes: JSON, or the fields of a form; of other texts nothing. */
function outlineOf(text: string, codes: Set<string>): string {
  if (/^\w+=[^&]*&/.test(text)) return text.replace(/=([^&]+)/g, (all, value) => (codes.has(value) ? all : '='))
  try {
    return JSON.stringify(outline(JSON.parse(text), codes)).replaceAll(/:0\b/g, ':')
  } catch {
    return ''
  }
}

function outline(value: unknown, codes: Set<string>): unknown {
  if (typeof value === 'number') return 0
  if (typeof value === 'string') return outlineOfString(value, codes)
  if (Array.isArray(value)) {
    const items = value.map((item) => outline(item, codes))
    return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, outline(member, codes)]))
}

/** The value of a code; the header of a signature without the parts that differ by message; of other texts nothing. */
function outlineOfString(value: string, codes: Set<string>): string {
  if (codes.has(value)) return value
  if (!value.startsWith('Signature ')) return ''
  return value.replace(/\b(keyId|created|expires|signature)="[^"]*"/g, '$1=""')
}
