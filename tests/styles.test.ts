// Style sheets and screens: their colours are tokens, each token exists, and no sign is a character that a font may lack.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** A literal colour in a style sheet or in a script that generates one. */
const colour = /(?:oklch|oklab|lch|lab|hsla?|hwb|rgba?)\(\s*[\d.]|['" :=(]#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b/i
/** The tokens and what reads them; the black that browsers send for a colour field without a value; the marks of companies that are made up; the PDF, which is printed on paper; examples of an accent. */
const hasColours =
  /^(packages\/design\/|apps\/sandbox\/src\/lender\/(core\/lender-policies|api\/public-pages)\.ts$|packages\/documents\/src\/pdf\.ts$|apps\/cli\/src\/tenant\/theme\.ts$|packages\/wire\/src\/(console\/theme|network\/html-preset-values)\.ts$|apps\/platform\/src\/api\/(console\/(themes\.full|isolation)|link\/link)\.test\.ts$|apps\/console\/src\/developers\/appearance\.tsx$)/

test('colours are tokens: no other style sheet or page contains a literal colour', () => {
  const found = globSync('{apps,packages}/*/src/**/*.{css,ts,tsx}')
    .filter((path) => (!hasColours.test(path) || path.endsWith('.css')) && !path.endsWith('/tokens.css'))
    .filter((path) => colour.test(readFileSync(path, 'utf8').replace(/from '#[^']+'|\.test\.ts/g, '')))
  assert.deepEqual(found, [])
})

test('style sheets use only existing tokens', () => {
  const namesOf = (path: string) => [...readFileSync(path, 'utf8').matchAll(/(--[\w-]+):/g)].map(([, name]) => name)
  const tokens = namesOf('packages/design/src/tokens.css')
  for (const path of globSync('{apps,packages}/*/src/**/*.css')) {
    const known = new Set([...tokens, ...namesOf(path), '--gap'])
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/var\((--[\w-]+)/g))
      assert.ok(known.has(name), `${path}: ${name}`)
  }
})

/** Signs that many fonts lack. Screens show an icon of `packages/design/src/icons.ts`, or say it in words. */
const sign = /[✓✔✕✖✗✘→←↑↓⚠▾▸★☆●○]/

test('screens show icons, not characters that a font may lack', () => {
  const found = globSync('{apps,packages}/*/src/**/*.{css,ts,tsx,json}')
    .filter((path) => !/^apps\/cli\/|\.test\.tsx?$|-data\.json$/.test(path))
    .filter((path) => sign.test(readFileSync(path, 'utf8')))
  assert.deepEqual(found, [])
})
