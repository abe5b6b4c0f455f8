// Products and channels of lenders: only what describes one asks which one it is, so that another can be added.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { channelConditionals, productConditionals, productNames } from './architecture/figures.ts'
import { openSources } from './architecture/sources.ts'

/** The sources of the programs that serve, and of the packages. */
const sources = globSync('{apps/{platform,partner,sandbox},packages/*}/src/**/*.ts')
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

test('only its descriptor asks which product is lent in the sandbox', () => {
  for (const { path, text } of sources)
    if (path.startsWith('apps/sandbox/src/'))
      assert.doesNotMatch(text, new RegExp(`(?:===|!==|case|\\? ) ?'(?:${productNames.join('|')})'`), path)
})

/** The names of products: their ids, and their names in the paths of the hybrid calls. */
const productName = new RegExp(`['"\`](?:${productNames.join('|')})['"\`]`)
/** Categories of the network, as its codecs read and write them; the descriptors name the codec. */
const isCodec = (path: string) => /^packages\/wire\/src\/network\/(v2\d\d|fixtures)\//.test(path)

test('no product is named outside its descriptors and its codecs', () => {
  const found = globSync('{apps/{platform,console,demo,page},packages/wire}/src/**/*.{ts,tsx}')
    .filter((path) => !/\.test\.tsx?$|\/product\//.test(path) && !isCodec(path))
    .filter((path) => productName.test(readFileSync(path, 'utf8')))
  assert.deepEqual(found, [])
})

/** Where the channel of a lender is stored, and where each channel is implemented or made ready. */
const knowsChannels = /\/store\.ts$|^apps\/platform\/src\/(lending\/lender|lenders\/channels\.ts$)/

test('no code depends on the channel of a lender', () => {
  for (const { path, text } of sources) {
    if (!path.startsWith('apps/platform/') || knowsChannels.test(path)) continue
    assert.doesNotMatch(text, /\bvia\b/, path)
    assert.doesNotMatch(text, /(?:[!=]==|case|[^?]\?)\s*'(?:NETWORK|PARTNER)'/, `${path} asks which channel it is`)
  }
})

test('only descriptors of products and channels of lenders ask which one it is', () => {
  assert.deepEqual(productConditionals(openSources()), [])
  assert.deepEqual(channelConditionals(openSources()), [])
})
