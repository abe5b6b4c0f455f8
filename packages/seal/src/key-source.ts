// Keys that a key service holds wrapped: AWS KMS, or the transit engine of Vault. A program unwraps its keys at start.
import { randomBytes } from 'node:crypto'
import { ConfigError, secretText } from '@lendloom/foundation/config'
import { lazily } from '@lendloom/foundation/lazily'
import { fieldsOf } from '@lendloom/foundation/record'
import { messageOf } from '@lendloom/foundation/thrown'

/** Wraps and unwraps a key of 32 bytes. `id` is bound to the wrapped key where the service can bind it. */
export interface KeySource {
  wrap(key: Buffer, id: string): Promise<string>
  unwrap(wrapped: string, id: string): Promise<Buffer>
}

type Environment = Record<string, string | undefined>

// Loaded for wrapped keys only.
const kmsLibrary = lazily(() => import('@aws-sdk/client-kms'))
const requestMs = 10_000

/**
 * AWS KMS. Region and credentials come from the environment, a profile, or the role of the machine, container or pod.
 * `keyArn` is needed to wrap only: a wrapped key names the key that wrapped it.
 */
export function kmsSource(keyArn?: string): KeySource {
  const contextOf = (id: string) => ({ EncryptionContext: { program: 'lendloom', key: id } })
  const send = async <T>(call: (library: Awaited<ReturnType<typeof kmsLibrary>>, signal: AbortSignal) => Promise<T>) =>
    call(await kmsLibrary(), AbortSignal.timeout(requestMs))
  return {
    wrap: (key, id) =>
      send(async ({ KMSClient, EncryptCommand }, abortSignal) => {
        const command = new EncryptCommand({ KeyId: keyArn, Plaintext: key, ...contextOf(id) })
        const { CiphertextBlob } = await new KMSClient({}).send(command, { abortSignal })
        return Buffer.from(CiphertextBlob ?? []).toString('base64')
      }),
    unwrap: (wrapped, id) =>
      send(async ({ KMSClient, DecryptCommand }, abortSignal) => {
        const command = new DecryptCommand({ CiphertextBlob: Buffer.from(wrapped, 'base64'), ...contextOf(id) })
        const { Plaintext } = await new KMSClient({}).send(command, { abortSignal })
        return Buffer.from(Plaintext ?? [])
      }),
  }
}

/** The transit engine of Vault at `VAULT_ADDR`, with `VAULT_TOKEN` (or its file). `name` is the name of the transit key. */
export function vaultSource(env: Environment, name: string): KeySource {
  const call = async (operation: 'encrypt' | 'decrypt', body: Record<string, string>): Promise<unknown> => {
    const address = env.VAULT_ADDR
    const token = secretText(env, 'VAULT_TOKEN')
    if (!address || !token) throw new Error('VAULT_ADDR and VAULT_TOKEN are needed')
    const url = new URL(`/v1/transit/${operation}/${encodeURIComponent(name)}`, address)
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'x-vault-token': token, ...(env.VAULT_NAMESPACE && { 'x-vault-namespace': env.VAULT_NAMESPACE }) },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(requestMs),
    })
    if (!reply.ok) throw new Error(`Vault answers ${reply.status}`)
    return fieldsOf(await reply.json()).data
  }
  return {
    async wrap(key) {
      const { ciphertext } = fieldsOf(await call('encrypt', { plaintext: key.toString('base64') }))
      return String(ciphertext).replace(/^vault:/, '')
    },
    async unwrap(wrapped) {
      const { plaintext } = fieldsOf(await call('decrypt', { ciphertext: `vault:${wrapped}` }))
      return Buffer.from(String(plaintext), 'base64')
    },
  }
}

/** A wrapped entry of `LENDLOOM_KEYS`: `id:kms:<base64>` or `id:vault:<transit key>:v1:<base64>`. */
const wrappedEntry = /^([a-z0-9]{1,8}):(?:kms:([A-Za-z0-9+/=]+)|vault:([\w.-]{1,64}):(v\d+:[A-Za-z0-9+/=]+))(:open)?$/

/** Returns a new wrapped entry, and the key itself is not stored anywhere else. */
export async function newWrappedKey(id: string, source: KeySource, prefix: string): Promise<string> {
  return `${id}:${prefix}:${await source.wrap(randomBytes(32), id)}`
}

/**
 * Returns `env` with unwrapped keys, which only this process has. Unwraps `LENDLOOM_KEYS` and `LENDLOOM_DIGEST_KEY`, also
 * from files. Throws `ConfigError` if the key service is unavailable or refuses.
 */
export async function withUnwrappedKeys(env: Environment): Promise<Environment> {
  const unwrapped: Environment = { ...env }
  for (const name of ['LENDLOOM_KEYS', 'LENDLOOM_DIGEST_KEY']) {
    const entries = entriesOf(env, name)
    if (!entries.some((entry) => wrappedEntry.test(entry))) continue
    unwrapped[name] = (await Promise.all(entries.map((entry) => unwrapEntry(env, name, entry)))).join(',')
    delete unwrapped[`${name}_FILE`]
  }
  return unwrapped
}

/** The entries of a setting; none if it cannot be read, which the check of all settings reports. */
function entriesOf(env: Environment, name: string): string[] {
  try {
    return (
      secretText(env, name)
        ?.split(',')
        .map((entry) => entry.trim()) ?? []
    )
  } catch {
    return []
  }
}

async function unwrapEntry(env: Environment, name: string, entry: string): Promise<string> {
  const [matched, id = '', kms, transitKey = '', ciphertext = '', openSuffix = ''] = wrappedEntry.exec(entry) ?? []
  if (matched === undefined) return entry
  try {
    const key =
      kms === undefined ? await vaultSource(env, transitKey).unwrap(ciphertext, id) : await kmsSource().unwrap(kms, id)
    if (key.length !== 32) throw new Error(`the key has ${key.length} bytes, not 32`)
    return `${id}:v2:${key.toString('base64')}${openSuffix}`
  } catch (error) {
    throw new ConfigError(`configuration:\n  ${name}: the key ${id} cannot be unwrapped: ${messageOf(error)}`)
  }
}
