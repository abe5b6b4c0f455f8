// Tokens: their format, and the checksum that reveals a bad copy without a database query.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { uuidv7 } from './id.ts'
import { bearer, mintToken, readToken, sameDigest } from './token.ts'

const prefixes = ['sk_live', 'sk_test', 'st', 'rt', 'bt']
const tenantId = uuidv7()
const mint = (prefix = 'sk_test') => mintToken(prefix, { tenantId }, randomBytes)

test('D1 §5: a token has its prefix, owner, id, 32 random bytes and a checksum, in base62', () => {
  for (const prefix of prefixes) {
    const { token, tokenId } = mint(prefix)
    assert.match(token, new RegExp(`^${prefix}_[0-9A-Za-z]{82}$`))
    assert.equal(token.slice(prefix.length + 23, prefix.length + 34), tokenId)
  }
})

test('property: reads a minted token back, with its digest', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...prefixes),
      fc.uuid(),
      fc.infiniteStream(fc.integer({ min: 0, max: 255 })),
      (prefix, owner, bytes) => {
        const random = (size: number) => Uint8Array.from({ length: size }, () => bytes.next().value)
        const { token, tokenId, digest } = mintToken(prefix, { tenantId: owner }, random)
        assert.deepEqual(readToken(token, prefixes), { prefix, tenantId: owner, tokenId, digest })
        assert.equal(digest.length, 32)
      },
    ),
  )
})

test('property: rejects a token with a changed character', () => {
  const { token } = mint()
  const letters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-.']
  for (let at = 0; at < token.length; at++)
    for (const character of letters)
      if (character !== token[at])
        assert.equal(readToken(token.slice(0, at) + character + token.slice(at + 1), prefixes), null)
})

test('property: rejects a token with swapped, extra or missing characters', () => {
  fc.assert(
    fc.property(fc.nat(80), (offset) => {
      const { token } = mint()
      const at = 'sk_test_'.length + offset
      const a = token[at]!
      const b = token[at + 1]!
      const swapped = token.slice(0, at) + b + a + token.slice(at + 2)
      if (a !== b) assert.equal(readToken(swapped, prefixes), null)
      assert.equal(readToken(token.slice(0, at) + token.slice(at + 1), prefixes), null)
      assert.equal(readToken(token.slice(0, at) + a + token.slice(at), prefixes), null)
    }),
  )
})

test('rejects text that is not a token', () => {
  const { token } = mint()
  const wrong = [
    '',
    ' ',
    `${token} `,
    ` ${token}`,
    `${token}\n`,
    token.toLowerCase(),
    `sk_prod${token.slice(7)}`,
    'x'.repeat(1e6),
  ]
  for (const text of wrong) assert.equal(readToken(text, prefixes), null)
})

test('rejects a token with another prefix', () => {
  assert.equal(readToken(mint('st').token, ['rt', 'bt']), null)
})

test('rejects a token whose tenant is not a UUID', () => {
  const { token } = mint('bt')
  assert.equal(readToken(`bt_${'z'.repeat(22)}${token.slice(25)}`, prefixes), null)
})

test('sameDigest compares whole digests', () => {
  const first = mint()
  const second = mint()
  assert.ok(sameDigest(first.digest, Buffer.from(first.digest)))
  assert.ok(!sameDigest(first.digest, second.digest))
  assert.ok(!sameDigest(first.digest, first.digest.subarray(1)))
})

test('D1 §5: reads the bearer token of an Authorization header', () => {
  const bearerIn = (authorization: string | string[] | undefined) => bearer({ authorization })
  assert.equal(bearerIn('Bearer abc'), 'abc')
  assert.equal(bearerIn('bearer  abc'), 'abc')
  for (const wrong of [undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'abc', 'Bearer a b', ['Bearer abc']])
    assert.equal(bearerIn(wrong), null)
})
