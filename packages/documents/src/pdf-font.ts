// Fonts of PDF documents: Noto Sans (SIL Open Font License 1.1), one per script, each with Latin, digits and ₹.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { required } from '@lendloom/foundation/required'
import { normalize, toAscii } from '@lendloom/foundation/search-form'
import type { Font } from 'fontkit'
import { shapeWithHarfBuzz } from './pdf-shape.ts'

const families = [
  { script: 'Deva', folder: 'noto-sans-devanagari', name: 'NotoSansDevanagari' },
  { script: 'Taml', folder: 'noto-sans-tamil', name: 'NotoSansTamil' },
  { script: 'Telu', folder: 'noto-sans-telugu', name: 'NotoSansTelugu' },
  { script: 'Beng', folder: 'noto-sans-bengali', name: 'NotoSansBengali' },
]

const weights = { plain: '400Regular', bold: '700Bold' } as const
export type Weight = keyof typeof weights

/** Text of one font and one script, for the shaper. */
export interface TextRun {
  font: Font
  text: string
}

const fonts = new Map<string, Font>()

/** Returns the fonts of a weight, first the font for the language. Each font file is read once. */
export async function fontsOf(language: string, weight: Weight): Promise<Font[]> {
  const { script } = new Intl.Locale(language).maximize()
  const ordered = families.toSorted((a, b) => Number(b.script === script) - Number(a.script === script))
  return Promise.all(
    ordered.map(({ folder, name }) => fontAt(`${folder}/${weights[weight]}/${name}_${weights[weight]}.ttf`)),
  )
}

async function fontAt(file: string): Promise<Font> {
  const known = fonts.get(file)
  if (known) return known
  const { create } = await import('fontkit')
  const bytes = readFileSync(fileURLToPath(import.meta.resolve(`@expo-google-fonts/${file}`)))
  const font = create(bytes)
  if (!('layout' in font)) throw new Error(`${file} is a collection of fonts`)
  await shapeWithHarfBuzz(font, bytes)
  fonts.set(file, font)
  return font
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
/** Could turn the text around a name. No font has a glyph for them. */
const directionControls = /\p{Bidi_Control}/gu
const isInvisible = /^(?:\n|\u200c|\u200d|\ufe0f)$/u
const indic = /[\p{Script=Devanagari}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Bengali}]/u
const latin = /\p{Script=Latin}/u

export const isIndic = (text: string): boolean => indic.test(text)

const hasGlyphs = (font: Font, grapheme: string): boolean =>
  [...grapheme].every((each) => isInvisible.test(each) || font.hasGlyphForCodePoint(each.codePointAt(0) ?? 0))

/** Lets PDFKit break a long word of an Indian script only between syllables; it breaks other long words anywhere. */
export const breakable = (text: string, fits: (word: string) => boolean): string =>
  isIndic(text)
    ? text.replace(/\S+/g, (word) =>
        fits(word) ? word : Array.from(graphemes.segment(word), ({ segment }) => segment).join('\u200b'),
      )
    : text

/**
 * Splits a text into runs, each in the first font that has its letters. A run also ends where the script changes within
 * a word, because the shaper assumes the script of the first letter. A letter that no font has is spelled in ASCII.
 * So is `…`, because a reader could not copy it from the document.
 */
export function runsOf(text: string, candidates: Font[]): TextRun[] {
  const runs: TextRun[] = []
  const defaultFont = required(candidates[0], 'the font of a language')
  let wordScript: RegExp | null = null
  const shown = normalize(text, 'NFC').replaceAll('…', '...').replace(directionControls, '')
  for (const { segment } of graphemes.segment(shown)) {
    const last = runs.at(-1)
    const script = indic.test(segment) ? indic : latin.test(segment) ? latin : null
    const currentFont = last && script !== indic && hasGlyphs(last.font, segment) ? last.font : undefined
    const font = currentFont ?? candidates.find((each) => hasGlyphs(each, segment))
    const isSplit = script !== null && wordScript !== null && script !== wordScript
    wordScript = /\s/.test(segment) ? null : (script ?? wordScript)
    const run = { font: font ?? defaultFont, text: font ? segment : toAscii(segment) || '?' }
    if (last && last.font === run.font && !isSplit) last.text += run.text
    else runs.push(run)
  }
  return runs
}
