// Wrapped keys over the documented protocols of AWS KMS and Vault, each played by a server of this test.
import assert from 'node:assert/strict'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import { ConfigError } from '@lendloom/foundation/config'
import { kmsSource, newWrappedKey, vaultSource, withUnwrappedKeys } from './key-source.ts'
import { sealWith } from './seal.ts'

const master = randomBytes(32)
const encrypt = (plain: Buffer, aad: string): Buffer => {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', master, iv).setAAD(Buffer.from(aad))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}
const decrypt = (sealed: Buffer, aad: string): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', master, sealed.subarray(0, 12)).setAAD(Buffer.from(aad))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
}

async function serverOf(answer: (request: IncomingMessage, body: Record<string, never>) => [number, object]) {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const [status, reply] = answer(request, body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

test('AWS KMS wraps and unwraps a key, bound to its id', async () => {
  const calls: string[] = []
  const url = await serverOf((request, body: Record<string, string>) => {
    calls.push(String(request.headers['x-amz-target']))
    assert.match(
      String(request.headers.authorization),
      /^AWS4-HMAC-SHA256 Credential=test-id\/\d{8}\/ap-south-1\/kms\/aws4_request/,
    )
    const aad = JSON.stringify(body.EncryptionContext)
    if (calls.at(-1) === 'TrentService.Encrypt')
      return [
        200,
        {
          CiphertextBlob: encrypt(Buffer.from(body.Plaintext ?? '', 'base64'), aad).toString('base64'),
          KeyId: body.KeyId,
        },
      ]
    try {
      return [200, { Plaintext: decrypt(Buffer.from(body.CiphertextBlob ?? '', 'base64'), aad).toString('base64') }]
    } catch {
      return [400, { __type: 'InvalidCiphertextException' }]
    }
  })
  const settings = {
    AWS_ENDPOINT_URL_KMS: url,
    AWS_REGION: 'ap-south-1',
    AWS_ACCESS_KEY_ID: 'test-id',
    AWS_SECRET_ACCESS_KEY: 'x',
  }
  const before = { ...process.env }
  Object.assign(process.env, settings)
  try {
    const entry = await newWrappedKey('k2', kmsSource('arn:aws:kms:ap-south-1:1:key/one'), 'kms')
    const { LENDLOOM_KEYS = '' } = await withUnwrappedKeys({ LENDLOOM_KEYS: `${entry}:open,k1:v2:${'A'.repeat(43)}=` })
    assert.match(LENDLOOM_KEYS, /^k2:v2:[\w+/]{43}=:open,k1:v2:A{43}=$/)
    const again = await withUnwrappedKeys({ LENDLOOM_KEYS: entry })
    const seal = sealWith(again.LENDLOOM_KEYS ?? '')
    assert.equal(seal.open(seal.bytes(Buffer.from('x'), 'y'), 'y').toString(), 'x')
    assert.deepEqual([...new Set(calls)], ['TrentService.Encrypt', 'TrentService.Decrypt'])
    await assert.rejects(withUnwrappedKeys({ LENDLOOM_KEYS: entry.replace('k2', 'k3') }), (error: Error) => {
      assert.ok(error instanceof ConfigError)
      return /LENDLOOM_KEYS: the key k3 cannot be unwrapped/.test(error.message)
    })
  } finally {
    for (const name of Object.keys(settings)) delete process.env[name]
    Object.assign(process.env, before)
  }
})

test('the transit engine of Vault wraps and unwraps a key, with token and namespace', async () => {
  let isSealed = false
  const url = await serverOf((request, body: Record<string, string>) => {
    assert.equal(request.method, 'POST')
    assert.equal(request.headers['x-vault-token'], 'token')
    assert.equal(request.headers['x-vault-namespace'], 'team')
    if (isSealed) return [503, { errors: ['Vault is sealed'] }]
    if (request.url === '/v1/transit/encrypt/lendloom')
      return [
        200,
        {
          data: {
            ciphertext: `vault:v1:${encrypt(Buffer.from(body.plaintext ?? '', 'base64'), '').toString('base64')}`,
          },
        },
      ]
    assert.equal(request.url, '/v1/transit/decrypt/lendloom')
    const [, version, ciphertext = ''] = String(body.ciphertext).split(':')
    assert.equal(version, 'v1')
    return [200, { data: { plaintext: decrypt(Buffer.from(ciphertext, 'base64'), '').toString('base64') } }]
  })
  const env = { VAULT_ADDR: url, VAULT_TOKEN: 'token', VAULT_NAMESPACE: 'team' }
  const entry = await newWrappedKey('k1', vaultSource(env, 'lendloom'), 'vault:lendloom')
  assert.match(entry, /^k1:vault:lendloom:v1:/)
  const { LENDLOOM_KEYS, LENDLOOM_DIGEST_KEY } = await withUnwrappedKeys({
    ...env,
    LENDLOOM_KEYS: entry,
    LENDLOOM_DIGEST_KEY: entry,
  })
  assert.match(LENDLOOM_KEYS ?? '', /^k1:v2:[\w+/]{43}=$/)
  assert.equal(LENDLOOM_DIGEST_KEY, LENDLOOM_KEYS)
  isSealed = true
  await assert.rejects(
    withUnwrappedKeys({ ...env, LENDLOOM_KEYS: entry }),
    /the key k1 cannot be unwrapped: Vault answers 503/,
  )
  await assert.rejects(withUnwrappedKeys({ LENDLOOM_KEYS: entry }), /VAULT_ADDR and VAULT_TOKEN are needed/)
})

test('keys that are not wrapped, and settings that cannot be read, stay as they are', async () => {
  const env = { LENDLOOM_KEYS: 'k1:v2:abc', LENDLOOM_DIGEST_KEY_FILE: '/nowhere', OTHER: '1' }
  assert.deepEqual(await withUnwrappedKeys(env), env)
})
