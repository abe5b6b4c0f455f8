// The rules of the house that a machine can keep. To add a room, add it to a floor.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

// A room may import the floors below it, never its neighbours, never upward.
const floors: Record<string, string[][]> = {
  platform: [
    ['access', 'borrower', 'provider', 'webhook'],
    ['journey'],
    ['portfolio'],
    ['exchange', 'network'],
    ['profile', 'offer'],
    ['step', 'aa', 'servicing', 'grievance'],
    ['hosted', 'headless', 'receiver', 'subscriber', 'embed', 'console', 'demo', 'autopilot'],
  ],
  partner: [
    ['exchange', 'ledger', 'bank'],
    ['case'],
    ['document', 'loan'],
    ['review'],
    ['collection'],
    ['receiver', 'desk', 'autopilot'],
  ],
  sandbox: [['registry', 'bank', 'bureau'], ['gateway', 'aggregator', 'verification'], ['lender']],
}
const hands = [
  'webhook',
  'exchange',
  'network',
  'provider',
  'bank',
  'lender',
  'gateway',
  'aggregator',
  'verification',
  'demo',
  'autopilot',
]
const ground: Record<string, string[]> = { kit: ['kit'], contract: ['kit', 'contract'] }

const sources = globSync('src/{kit,contract,platform,partner,sandbox}/**/*.ts')
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8'), ...place(path) }))

function place(path: string) {
  const [wing = '', room = ''] = path.replace(/^(src\/|#)/, '').split('/')
  return { wing, room: room.endsWith('.ts') ? null : room }
}
const height = (wing: string, room: string) => floors[wing]!.findIndex((floor) => floor.includes(room))

test('imports run downhill', () => {
  for (const { path, text, wing, room } of sources) {
    assert.doesNotMatch(text, /['"]\.\.\//, `${path}: rooms are named with #, never with ../`)
    for (const [, target] of text.matchAll(/(?:from|import)\s*\(?\s*['"](#[^'"]+)['"]/g)) {
      const there = place(target!)
      const arrow = `${path} -> ${target}`
      if (ground[wing]) {
        assert.ok(ground[wing].includes(there.wing), arrow)
        continue
      }
      if (ground[there.wing] || room === null) continue
      assert.equal(there.wing, wing, `${arrow}: the programs meet only over HTTP`)
      if (there.room === room) continue
      assert.ok(height(wing, there.room!) < height(wing, room), `${arrow} does not run downhill`)
    }
  }
})

test('every room stands on a floor', () => {
  for (const { path, wing, room } of sources) if (floors[wing] && room) assert.notEqual(height(wing, room), -1, path)
})

test('SQL lives in store.ts, and a table is written by one room', () => {
  const writer = new Map<string, string>()
  for (const { path, text, wing, room } of sources) {
    if (wing === 'kit') continue
    for (const [, table] of text.matchAll(
      /\b(?:insert into|update|delete from)\s+([a-z_]+)\b(?=[\s\S]{0,40}?(?:\(|set|where))/g,
    )) {
      assert.ok(path.endsWith('/store.ts'), `${path} writes ${table}`)
      const owner = `${wing}/${room}`
      assert.equal(writer.get(`${wing}.${table}`) ?? owner, owner, `${table} is written by two rooms`)
      writer.set(`${wing}.${table}`, owner)
    }
  }
})

test('only the hands touch the network', () => {
  for (const { path, text, room } of sources) {
    if (text.includes('#kit/http-client.ts')) assert.ok(room !== null && hands.includes(room), `${path} is not a hand`)
  }
})

test('files are short and open with a sentence', () => {
  for (const { path, text } of sources) {
    assert.ok(text.split('\n').length <= 300, `${path} is longer than 300 lines`)
    assert.match(text, /^\/\/ [A-Z].+/, `${path} does not say what it is for`)
  }
})
