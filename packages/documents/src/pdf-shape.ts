// Shapes the text of PDF documents with HarfBuzz, because fontkit draws some syllables of Bengali and Telugu wrongly.

import { required } from '@lendloom/foundation/required'
import { normalize } from '@lendloom/foundation/search-form'
import type { Font } from 'fontkit'

const ignorable = /\p{Default_Ignorable_Code_Point}/gu

interface ShapedGlyph {
  id: number
  advanceWidth: number
  /** The text that a reader copies with the glyph; a syllable drawn as one glyph has all its code points. */
  codePoints: number[]
}

/** Replaces the layout of a fontkit font by that of HarfBuzz. fontkit still writes the subset of the font. */
export async function shapeWithHarfBuzz(font: Font, bytes: Buffer): Promise<void> {
  const { Blob, BufferFlag, Buffer: Text, Face, Font: Shaper, shape } = await import('harfbuzzjs')
  const shaper = new Shaper(new Face(new Blob(bytes)))
  const layout = (text: string) => {
    const buffer = new Text()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    buffer.setFlags(BufferFlag.REMOVE_DEFAULT_IGNORABLES)
    shape(shaper, buffer)
    const infos = buffer.getGlyphInfos()
    const positions = buffer.getGlyphPositions()
    const starts = [...new Set(infos.map(({ cluster }) => cluster)), text.length]
    const glyphs = infos.map(({ codepoint: id, cluster }): ShapedGlyph & { cluster: number } => {
      return { id, cluster, advanceWidth: required(font.getGlyph(id), `glyph ${id}`).advanceWidth, codePoints: [] }
    })
    for (const [i, start] of starts.slice(0, -1).entries())
      assignText(
        font,
        text.slice(start, starts[i + 1]),
        glyphs.filter(({ cluster }) => cluster === start),
      )
    return { glyphs, positions, advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) }
  }
  Object.assign(font, { layout })
}

/** A consonant that is written below or after the preceding one. */
const subjoined = /[\u094d\u09cd\u0bcd\u0c4d]\p{L}/gu

/**
 * Assigns its text to each glyph of a syllable: the character of the glyph, else a subjoined consonant. The first glyph
 * without a character gets the remaining text.
 */
function assignText(font: Font, syllable: string, glyphs: ShapedGlyph[]): void {
  let rest = ''
  for (const each of normalize(syllable, 'NFD').replace(ignorable, '')) {
    const { id: defaultId } = font.glyphForCodePoint(required(each.codePointAt(0), 'a character'))
    const own = glyphs.find(({ id, codePoints }) => codePoints.length === 0 && id === defaultId)
    if (own) own.codePoints.push(...codePointsOf(each))
    else rest += each
  }
  const [first, ...others] = glyphs.filter(({ codePoints }) => codePoints.length === 0)
  for (const other of others.toReversed()) {
    const part = rest.match(subjoined)?.at(-1) ?? ''
    other.codePoints.push(...codePointsOf(part))
    rest = rest.replace(part, '')
  }
  first?.codePoints.push(...codePointsOf(rest))
}

const codePointsOf = (text: string): number[] =>
  Array.from(text, (each) => required(each.codePointAt(0), 'a character'))
