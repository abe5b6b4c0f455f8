// The parts that the documents of a loan share, from the letterhead to the tables.

import { type Block, pdfOf } from '@lendloom/documents/pdf'
import type { Config } from '@lendloom/foundation/config'
import { type Language, localeOf } from '@lendloom/lending/language'
import { grouped, type Paise } from '@lendloom/lending/money'
import type { Supplier } from '#partner/books/tax/supplier.ts'
import type { productSettings } from '#partner/origination/review/settings.ts'
import { paperTexts } from './text.ts'

/** Returns an amount as a document shows it, such as `₹1,00,000.00`. */
export const inr = (paise: Paise): string => `₹${grouped(paise)}`

/** A table of labels and values. Leaves out rows without a value. */
export const pairsOf = (rows: [string, string | null][]): Block => ({
  kind: 'table',
  head: [],
  widths: [2, 3],
  isLight: true,
  rows: rows.flatMap(([label, value]) => (value === null ? [] : [[label, value]])),
})

/** A table of labels and amounts; `totals` are the numbers of its strong rows. */
export const amountsOf = (rows: [string, Paise][], totals: number[] = []): Block => ({
  kind: 'table',
  head: [],
  widths: [3, 2],
  right: [1],
  isLight: true,
  strong: totals,
  rows: rows.map(([label, paise]) => [label, inr(paise)]),
})

export const paragraph = (text: string): Block => ({ kind: 'text', text })

/** The settings with which a document names the lender and its products. */
export type LenderConfig = Config<typeof productSettings>

interface Paper {
  title: string
  language: Language
  at: Date
  blocks: Block[]
}

/** Returns a document as a PDF with the lender's letterhead. */
export const paperOf = (config: Supplier, { title, language, at, blocks }: Paper): Promise<Buffer> =>
  pdfOf({
    title,
    author: config.PARTNER_LENDER_NAME,
    language: localeOf(language),
    createdAt: at,
    blocks,
    letterhead: [
      config.PARTNER_LENDER_ADDRESS,
      paperTexts[language]('questions', { officer: config.PARTNER_GRIEVANCE_OFFICER }),
    ],
  })
