// Tokens: their format, and that a bad copy is told from a good one without a look at the database.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { uuidv7 } from './id.ts'
import { bearer, mintToken, readToken, sameDigest } from './token.ts'

const prefixes = ['sk_live', 'sk_test', 'st', 'rt', 'bt']
const tenantId = uuidv7()
const mint = (prefix = 'sk_test') => mintToken(prefix, { tenantId }, randomBytes)

test('D1 §5: a token is its prefix, whose it is, its id, 32 random bytes and a checksum, in base62', () => {
  for (const prefix of prefixes) {
    const { token, tokenId } = mint(prefix)
    assert.match(token, new RegExp(`^${prefix}_[0-9A-Za-z]{82}$`))
    assert.equal(token.slice(prefix.length + 23, prefix.length + 34), tokenId)
  }
})

test('property: what was minted is read back; the token itself is stored nowhere', () => {
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

test('property: any single character that was changed is noticed', () => {
  const { token } = mint()
  const letters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-.']
  for (let at = 0; at < token.length; at++)
    for (const character of letters)
      if (character !== token[at])
        assert.equal(readToken(token.slice(0, at) + character + token.slice(at + 1), prefixes), null)
})

test('property: two neighbours that changed places, a letter too many or too few are noticed', () => {
  fc.assert(
    fc.property(fc.nat(80), (place) => {
      const { token } = mint()
      const at = 'sk_test_'.length + place
      const [a, b] = [token[at]!, token[at + 1]!]
      const swapped = token.slice(0, at) + b + a + token.slice(at + 2)
      if (a !== b) assert.equal(readToken(swapped, prefixes), null)
      assert.equal(readToken(token.slice(0, at) + token.slice(at + 1), prefixes), null)
      assert.equal(readToken(token.slice(0, at) + a + token.slice(at), prefixes), null)
    }),
  )
})

test('what cannot be a token is none, however long', () => {
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

test('a token of another prefix than the wanted ones is none', () => {
  assert.equal(readToken(mint('st').token, ['rt', 'bt']), null)
})

test('a token whose tenant is no UUID of 16 bytes is none', () => {
  const { token } = mint('bt')
  assert.equal(readToken(`bt_${'z'.repeat(22)}${token.slice(25)}`, prefixes), null)
})

test('two tokens never have one digest; digests are compared whole', () => {
  const [one, other] = [mint(), mint()]
  assert.ok(sameDigest(one.digest, Buffer.from(one.digest)))
  assert.ok(!sameDigest(one.digest, other.digest))
  assert.ok(!sameDigest(one.digest, one.digest.subarray(1)))
})

test('D1 §5: the bearer of an Authorization header, in its spellings', () => {
  const of = (authorization: string | string[] | undefined) => bearer({ authorization })
  assert.equal(of('Bearer abc'), 'abc')
  assert.equal(of('bearer  abc'), 'abc')
  for (const wrong of [undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'abc', 'Bearer a b', ['Bearer abc']])
    assert.equal(of(wrong), null)
})
