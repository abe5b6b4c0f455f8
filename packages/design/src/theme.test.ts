// A theme changes only accent, corners and font.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colourTokensIn } from './style.ts'
import { rulesFollowingTheme, themableRules, themedStyle, themeTokens } from './theme.ts'
import { corners, fonts } from './theme-lists.ts'

const source =
  'main{color:var(--text);border:1px solid var(--bad);border-radius:var(--radius)}.main{color:var(--on-accent);background:var(--accent-fill)}'
const rules = { rules: themableRules(source), colours: colourTokensIn(source) }
const blue = { accent: '#1f4f8f', corner: 'soft', font: 'system' } as const

test('changes accent, corners and font, but not state and text colours', () => {
  const names = themeTokens(blue).map(([name]) => name)
  assert.deepEqual(names, [
    '--accent',
    '--accent-fill',
    '--accent-deep',
    '--accent-tint',
    '--on-accent',
    '--radius',
    '--radius-card',
    '--radius-sheet',
  ])
  const [first, second] = [blue, { accent: '#ffd500', corner: 'round', font: 'serif' } as const].map((theme) =>
    themedStyle(rules, theme),
  )
  for (const name of ['--text', '--bad']) {
    const value = (style = '') => [...style.matchAll(new RegExp(`${name}:(#\\w+)`, 'g'))].map(([, each]) => each)
    assert.equal(value(first).length, 2)
    assert.deepEqual(value(first), value(second))
  }
})

test('writes the values of the theme, which later style sheets use with a fallback', () => {
  const style = themedStyle(rules, { accent: '#ffd500', corner: 'square', font: 'mono' })
  assert.match(style, /--accent-fill:#ffd500/)
  assert.match(style, /--radius:0px/)
  assert.match(style, /font-family:ui-monospace/)
  assert.match(style, /\.main\{color:#000000;/)
  assert.match(style, /\.main\{border-color:#\w{6}\}@media/)
  assert.equal(rulesFollowingTheme('a{border-radius:var(--radius)}'), 'a{border-radius:var(--radius,10px)}')
  assert.doesNotMatch(themedStyle(rules, blue), /--radius:|\.main\{border-color:#\w{6}\}@media/)
})

test('has a style for every corner and font', () => {
  for (const corner of corners) assert.ok(themedStyle(rules, { ...blue, corner }))
  for (const font of fonts)
    assert.match(themedStyle(rules, { ...blue, font }), /font-family:[^;]+(sans-serif|serif|monospace);/)
})
