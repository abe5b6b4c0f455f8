// Style sheets have legible colours in sRGB, and all tokens that their rules use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrastOf, inHex, lchOf } from './colour.ts'
import { accentOf, everyToken, styleOf, type Token, tokenOf } from './style.ts'

test('converts OKLCH colours to hexadecimal', () => {
  assert.equal(inHex('oklch(62.8% 0.2577 29.23)'), '#f00')
  assert.equal(inHex('oklch(86.64% 0.294827 142.4953)'), '#0f0')
  assert.equal(inHex('0 1px oklch(0% 0 0 / 0.5), 1px solid oklch(100% 0 0)'), '0 1px #00000080, 1px solid #fff')
  assert.ok(Math.abs(lchOf('#0000ff').hue - 264.05) < 0.1)
  assert.equal(contrastOf('#000', '#ffffff'), 21)
})

test('a style has the light and dark colours that its rules use, with sizes inlined', () => {
  const style = styleOf('main{color:var(--info);border-radius:var(--radius)}', 'large')
  assert.match(style, /^:root\{color-scheme:light dark;font-family:[^}]*--info:#[0-9a-f]{6}[;}]/)
  assert.match(style, /@media\(prefers-color-scheme:dark\)\{:root\{[^}]*--info:#/)
  assert.match(style, /main\{color:var\(--info\);border-radius:10px\}$/)
  assert.doesNotMatch(style, /oklch|light-dark|--mark-1/)
  assert.throws(() => tokenOf('--unknown'), /there is no token --unknown/)
})

test('every token is lowered, for the preference of the browser and for the choice of the reader', () => {
  const style = everyToken()
  assert.doesNotMatch(style, /oklch|light-dark|var\(--(?!accent\))/)
  const dark = /--page:#0c1015/g
  assert.equal(style.match(dark)?.length, 2)
  assert.match(style, /^:root\{color-scheme:light dark;[^}]*--radius:6px;[^}]*--page:#f9fafc/)
  assert.match(style, /:root\[data-theme=dark\]\{color-scheme:dark;--page:#0c1015/)
})

const tones: (keyof Token)[] = ['light', 'dark']
const backgrounds = ['page', 'surface', 'fill']
const states = ['accent', 'good', 'warn', 'bad', 'info']
const pairs = [
  ...backgrounds.flatMap((background) => ['text', 'quiet', ...states].map((word) => [word, background])),
  ...states.flatMap((state) => ['text', 'quiet', state].map((word) => [word, `${state}-tint`])),
  ...['accent-fill', 'accent-deep', 'bad-fill'].map((fill) => ['on-accent', fill]),
]

test('text has a contrast of at least 4.5 on its backgrounds, and the edge of a field 3', () => {
  const hex = (name: string, tone: keyof Token) => inHex(tokenOf(`--${name}`)[tone])
  for (const tone of tones) {
    for (const [word = '', background = ''] of pairs) {
      const contrast = contrastOf(hex(word, tone), hex(background, tone))
      assert.ok(contrast >= 4.5, `${word} on ${background}, ${tone}: ${contrast}`)
    }
    for (const background of ['page', 'surface']) assert.ok(contrastOf(hex('edge', tone), hex(background, tone)) >= 3)
  }
})

test('accents of several hues are legible', () => {
  for (const colour of ['#1f4f8f', '#0b6e4f', '#00ffff', '#ffd166', '#b3541e', '#7a2e8e', '#ff0000']) {
    const [light = '', dark = ''] = accentOf(colour).split('@media')
    const value = (block: string, name: string) => new RegExp(`${name}:(#\\w+)`).exec(block)?.[1] ?? ''
    for (const [block, tone] of [
      [light, 'light'],
      [dark, 'dark'],
    ] as const) {
      assert.ok(contrastOf('#fff', value(block, '--accent-fill')) >= 4.5, `${colour}, ${tone}`)
      assert.ok(contrastOf(value(block, '--accent'), inHex(tokenOf('--surface')[tone])) >= 4.5, `${colour}, ${tone}`)
    }
  }
})
