// Text and controls in any accent colour have enough contrast.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accentIn, accentTokens, contrastsOf, minEdgeContrast, minTextContrast } from './accent.ts'
import { contrastOf, hexOf, inHex, lchOf } from './colour.ts'
import { type Token, tokenOf } from './style.ts'

const hex = (...channels: number[]) => `#${channels.map((each) => each.toString(16).padStart(2, '0')).join('')}`
const steps = [0, 36, 73, 109, 146, 182, 219, 255]
/** A grid of all colours, and difficult colours: yellow, near-white, near-black and grey. */
const colours = [
  ...steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => hex(red, green, blue)))),
  '#ffd500',
  '#ffff00',
  '#fefefe',
  '#010101',
  '#767676',
  '#777777',
  '#808182',
  '#00ff00',
  '#7f7f00',
  '#f5f5dc',
]
const tones: (keyof Token)[] = ['light', 'dark']
const backgrounds = ['--page', '--surface', '--fill']

test('text in any accent colour has a contrast of at least 4.5 on every background and on its own tint', () => {
  for (const colour of colours)
    for (const tone of tones) {
      const { tokens } = accentIn(colour, tone)
      const at = (name: string) => inHex(tokenOf(name)[tone])
      for (const background of [...backgrounds.map(at), tokens['--accent-tint']])
        assert.ok(contrastOf(tokens['--accent'], background) >= minTextContrast, `${colour}, ${tone}, on ${background}`)
      for (const word of ['--text', '--quiet'].map(at))
        assert.ok(
          contrastOf(word, tokens['--accent-tint']) >= minTextContrast,
          `${colour}, ${tone}, ${word} on its tint`,
        )
    }
})

test('a button of any colour has a contrast of at least 4.5 for its text and 3 for its edge', () => {
  for (const colour of colours)
    for (const tone of tones) {
      const { tokens, rim } = accentIn(colour, tone)
      for (const fill of ['--accent-fill', '--accent-deep'] as const)
        assert.ok(contrastOf(tokens['--on-accent'], tokens[fill]) >= minTextContrast, `${colour}, ${tone}, ${fill}`)
      const edge = rim ?? tokens['--accent-fill']
      for (const background of backgrounds)
        assert.ok(
          contrastOf(edge, inHex(tokenOf(background)[tone])) >= minEdgeContrast,
          `${colour}, ${tone}, edge on ${background}`,
        )
    }
})

test('keeps a legible colour, and only the hue of an illegible one', () => {
  assert.equal(accentIn('#0b6e4f', 'light').tokens['--accent'], '#0b6e4f')
  assert.equal(accentIn('#7a2e8e', 'light').tokens['--accent-fill'], '#7a2e8e')
  const yellow = accentIn('#FFD500', 'light').tokens
  assert.equal(yellow['--accent-fill'], '#ffd500')
  assert.equal(yellow['--on-accent'], '#000000')
  assert.ok(Math.abs(lchOf(yellow['--accent']).hue - lchOf('#ffd500').hue) < 4)
  assert.deepEqual(Object.keys(yellow), [...accentTokens])
})

test('converts a colour to OKLCH and back', () => {
  for (const colour of colours) assert.equal(hexOf(lchOf(colour)), colour)
})

test('contrastsOf returns each contrast with its required minimum', () => {
  const figures = contrastsOf('#ffd500')
  assert.deepEqual(
    figures.map(({ what, tone }) => `${what} ${tone}`),
    ['WORDS light', 'BUTTON light', 'EDGE light', 'WORDS dark', 'BUTTON dark', 'EDGE dark'],
  )
  for (const { contrast, needed } of figures) assert.ok(contrast >= needed)
})
