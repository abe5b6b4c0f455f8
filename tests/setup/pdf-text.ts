// Reads a PDF: the text of its pages, and how many of its characters have no glyph.
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'

const load = (bytes: Uint8Array) => getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })

/** The text of each page in glyph order: a vowel sign drawn before its consonant also precedes it in the text. */
export async function textsOf(bytes: Uint8Array): Promise<string[]> {
  const pdf = await load(bytes)
  return Promise.all(
    Array.from({ length: pdf.numPages }, async (_, i) => {
      const { items } = await (await pdf.getPage(i + 1)).getTextContent()
      return items
        .map((item) => ('str' in item ? item.str : ''))
        .join('')
        .replaceAll('\u200b', '')
    }),
  )
}

/** The number of glyphs drawn as the empty box, which is the first glyph of each font. */
export async function missingGlyphs(bytes: Uint8Array): Promise<number> {
  const { OPS } = await getResolvedPDFJS()
  const pdf = await load(bytes)
  let missing = 0
  for (let i = 1; i <= pdf.numPages; i++) {
    const { fnArray, argsArray } = await (await pdf.getPage(i)).getOperatorList()
    for (const [n, operation] of fnArray.entries()) {
      if (operation !== OPS.showText) continue
      const glyphs: unknown[] = argsArray[n][0]
      missing += glyphs.filter((glyph) => JSON.stringify(glyph).includes('"originalCharCode":0,')).length
    }
  }
  return missing
}

/** Splits characters that a font draws in two parts into those parts: ோ into ே and ா, ई into इ and a mark. */
export const decomposed = (text: string): string => text.normalize('NFD').replaceAll('ई', 'इ')
