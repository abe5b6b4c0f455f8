// Password hashes: form, cost, matching, and threads left for other work.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { hashPassword, hashRandomPassword, isPassword, passwordCost, recommendedCost } from './password.ts'

const originalCost = { ...passwordCost }
before(() => void Object.assign(passwordCost, recommendedCost))
after(() => void Object.assign(passwordCost, originalCost))

const password = 'correct horse battery'

test('hashes of one password differ, and match only that password', async () => {
  const firstHash = await hashPassword(password)
  const secondHash = await hashPassword(password)
  assert.notEqual(firstHash, secondHash)
  assert.ok((await isPassword(password, firstHash)) && (await isPassword(password, secondHash)))
  assert.ok(!(await isPassword(`${password}!`, firstHash)) && !(await isPassword(password, undefined)))
})

test('a hash is argon2id as a PHC string with at least the cost that OWASP recommends', async () => {
  assert.match(
    await hashPassword(password),
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
  )
  const composed = await hashPassword('Zo\u00eb\u0301 has twelve')
  assert.ok(
    await isPassword('Zoe\u0308\u0301 has twelve'.normalize('NFC'), composed),
    'composed and decomposed letters are equal',
  )
})

test('a random password gets a cheap hash that matches only it', async () => {
  const hash = await hashRandomPassword('q7Zp0v3mXcD1rWk9sTbA')
  assert.match(hash, /^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
  assert.equal(await isPassword('q7Zp0v3mXcD1rWk9sTbA', hash), true)
  assert.equal(await isPassword('other', hash), false)
})

test('matches a hash of the argon2id reference implementation', async () => {
  // echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32
  const referenceHash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  assert.ok(await isPassword('password', referenceHash))
  assert.ok(!(await isPassword('Password', referenceHash)))
})

test('throws on a hash of another algorithm', () => assert.rejects(isPassword(password, 'md5$abc'), /unknown format/))

test('leaves threads for file reads while many passwords are checked', async () => {
  let checkCount = 0
  const guesses = Array.from({ length: 20 }, () => isPassword('a guess', undefined).then(() => checkCount++))
  await readFile(import.meta.filename)
  assert.ok(checkCount < 10, `${checkCount} of 20 checks ended before the read`)
  await Promise.all(guesses)
})
