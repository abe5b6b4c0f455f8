// Passwords: stored as argon2id hashes with their own salt and cost, compared in constant time.
import nodeCrypto, { timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { normalize } from '@lendloom/foundation/search-form'
import { workLimit } from '@lendloom/foundation/work-limit'
import { randomOctets } from './id.ts'

/** Hashing uses the thread pool of Node, by default four threads. Half of them stay free for reading files. */
const limitHashing = workLimit(2)
/** The minimum that OWASP recommends: 19 MiB, two passes, one thread. */
export const recommendedCost = { memory: 19_456, passes: 2, parallelism: 1 } as const
type Cost = Record<keyof typeof recommendedCost, number>
/** The cost of new hashes of chosen passwords. Tests with many sign-ins lower it. */
export const passwordCost: Cost = { ...recommendedCost }
/** The minimum cost of Argon2. */
const minCost: Cost = { memory: 8, passes: 1, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

/** Returns the hash to store, as a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export const hashPassword = (password: string): Promise<string> => hashAt(passwordCost, password)

/** Like `hashPassword`, but with a fast hash, which suffices for a random password of 100 bits or more. */
export const hashRandomPassword = (password: string): Promise<string> => hashAt(minCost, password)

async function hashAt(cost: Cost, password: string): Promise<string> {
  const salt = randomOctets(saltBytes)
  const hash = await limitHashing(() => argon2idOf(password, salt, cost, hashBytes))
  return phc(cost, salt, hash)
}

/** Whether the password matches the hash. Without a hash takes as long, to hide which accounts exist. */
export async function isPassword(password: string, storedHash: string | undefined): Promise<boolean> {
  const { expected, derive } = readArgon2(storedHash ?? dummyHash())
  const derived = await limitHashing(() => derive(password))
  return timingSafeEqual(derived, expected) && storedHash !== undefined
}

interface StoredPassword {
  expected: Buffer
  derive(password: string): Promise<Buffer>
}

/** Not imported by name: Node 22, on which the packed command line runs, has no `argon2`, and would refuse the whole module. */
const argon2idOf = (password: string, nonce: Buffer, { memory, passes, parallelism }: Cost, tagLength: number) =>
  promisify(nodeCrypto.argon2)('argon2id', {
    message: normalize(password, 'NFC'),
    nonce,
    memory,
    passes,
    parallelism,
    tagLength,
  })

const unpaddedBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/(?<!=)=+$/, '')
const phc = ({ memory, passes, parallelism }: Cost, salt: Buffer, hash: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpaddedBase64(salt)}$${unpaddedBase64(hash)}`

const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function readArgon2(storedHash: string): StoredPassword {
  const match = phcPattern.exec(storedHash)
  if (!match) throw new Error('a stored password hash has an unknown format')
  const [, memory, passes, parallelism, salt = '', hash = ''] = match
  const expected = Buffer.from(hash, 'base64')
  const storedCost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return {
    expected,
    derive: (password) => argon2idOf(password, Buffer.from(salt, 'base64'), storedCost, expected.length),
  }
}

const dummyHash = (): string => phc(passwordCost, Buffer.alloc(saltBytes), Buffer.alloc(hashBytes))
