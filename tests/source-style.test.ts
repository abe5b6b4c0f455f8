// How sources are written: one thing per line, sentences for people in catalogues, and no test left out.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sentences } from './architecture/figures.ts'
import {
  isPackable,
  literalSpreads,
  packableSources,
  packedAssertions,
  tupleDeclarations,
  tupleHelpers,
} from './architecture/packing.ts'
import { openSources, sourceOf } from './architecture/sources.ts'

test('a sentence for people is found in the domain, in a string or a template, and may stand in a catalogue', () => {
  const text = `
    const a = 'The lender is away today.'
    const b = \`<p>The lender \${name} is away. Please try again.</p>\`
    log.info({}, 'a lender is away')
    const c = \`error \${code}\`
    throw new Refusal('absent', 'there is no such offer')`
  const places = (path: string) => sentences([sourceOf(path, text)])
  assert.deepEqual(places('apps/platform/src/lending/offer/away.ts'), [
    'apps/platform/src/lending/offer/away.ts:2',
    'apps/platform/src/lending/offer/away.ts:3',
  ])
  assert.equal(places('apps/partner/src/api/away-page.ts').length, 2)
  assert.deepEqual(places('apps/platform/src/lending/offer/away-text-en.ts'), [])
})

test('sentences for people are in the catalogues of the languages', () => {
  assert.deepEqual(sentences(openSources()), [])
})

// The linter refuses `test.only` and `describe.skip`, but not the same as options. A condition may skip a test.
test('no test file leaves out tests', () => {
  const leavesOut = /\b(?:only|skip): true\b/
  const paths = globSync('{apps,packages,tests,tools}/**/*.test.ts')
  const found = paths.filter((path) => leavesOut.test(readFileSync(path, 'utf8')))
  assert.deepEqual(found, [])
})

test('every field, declaration and comparison is on its own line', () => {
  const packed = sourceOf(
    'packed.tsx',
    `const both = { ...{ a, b }, ...(isLate && { c }) }
    const all = [...([1, 2] as const), ...(isLate ? [3] : []), ...others]
    const part = <Part {...{ a, b }} {...rest} {...(isLate && { c })} />
    const [x, y] = [1, 2]
    for (let [i, from] = [0, 0] as const; ; ) break
    const [first, ...more] = [...some, ...others]
    const [row] = await rows()
    assert.deepEqual([a, b], [1, 2])
    assert.deepStrictEqual([a, ...more], [1, 2])
    assert.deepEqual([a], [])
    assert.deepEqual(rows, [1, 2])
    t.assert.notDeepEqual([a, b], expected)
    assert.strict.partialDeepStrictEqual([a, /* and */ b], both)
    assert.deepEqual(await Promise.all([find(1), find(2)]), [1, 2])
    ;[a, b] = [1, 2]
    ;[a, b] = [b, a]
    const { id, name } = { id: 1, name: 'x' }
    const [low, high] = a < b ? [a, b] : [b, a]
    export const [e, f]: Array<() => void> = [() => {}, () => {}]
    const stateOf = async (loan) => [loan.status, await owed(loan)] as const
    function idsOf(loan) { return [loan.first, ...loan.others.map((other) => { return [other.id, other.name] })] }
    const loan = { async due() { return isLate ? [day, amount] : null } }
    const uncompared = () => [a, b]
    assert.deepEqual(await stateOf(loan), ['PAID', 0n])
    assert.deepEqual(idsOf(loan), [1, [2, 'x']])
    assert.deepEqual(await loan.due(), [1, 2])`,
  )
  const rules = { literalSpreads, tupleDeclarations, packedAssertions, tupleHelpers }
  const linesOf = (places: string[]) => places.map((place) => Number(place.split(':')[1]))
  assert.deepEqual(linesOf(literalSpreads([packed])), [1, 2, 3])
  assert.deepEqual(linesOf(tupleDeclarations([packed])), [4, 5, 15, 17, 19])
  assert.deepEqual(linesOf(packedAssertions([packed])), [8, 12, 13])
  assert.deepEqual(linesOf(tupleHelpers([packed])), [20, 22])
  const lines = packed.text.split('\n')
  for (const line of [1, 2, 3, 4, 5, 15, 17, 19, 8, 12, 13]) assert.ok(isPackable(lines[line - 1]!), `line ${line}`)
  assert.ok(isPackable(lines.slice(19).join('\n')), 'a helper is found by its comparison')
  const written = packableSources()
  const places = Object.entries(rules).flatMap(([rule, find]) => find(written).map((place) => `${place} ${rule}`))
  assert.equal(
    places.length,
    0,
    `write one thing per line, and name what a helper returns\n${places.toSorted().join('\n')}`,
  )
})
