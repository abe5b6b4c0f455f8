// Design tokens as browsers read them: correct in sRGB, complete for their rules, and legible.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrastOf, inHex, lchOf } from './colour.ts'
import { accentOf, styleOf, type Token, tokenOf } from './style.ts'

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

const tones: (keyof Token)[] = ['light', 'dark']
const grounds = ['page', 'surface', 'fill']
const states = ['accent', 'good', 'warn', 'bad', 'info']
const pairs = [
  ...grounds.flatMap((ground) => ['text', 'quiet', ...states].map((word) => [word, ground])),
  ...states.flatMap((state) => ['text', 'quiet', state].map((word) => [word, `${state}-tint`])),
  ...['accent-fill', 'accent-deep', 'bad-fill'].map((fill) => ['on-accent', fill]),
]

test('text has a contrast of 4.5 on its grounds, and the edge of a field has 3', () => {
  const hex = (name: string, tone: keyof Token) => inHex(tokenOf(`--${name}`)[tone])
  for (const tone of tones) {
    for (const [word = '', ground = ''] of pairs) {
      const contrast = contrastOf(hex(word, tone), hex(ground, tone))
      assert.ok(contrast >= 4.5, `${word} on ${ground}, ${tone}: ${contrast}`)
    }
    for (const ground of ['page', 'surface']) assert.ok(contrastOf(hex('edge', tone), hex(ground, tone)) >= 3)
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
