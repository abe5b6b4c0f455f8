// Passwords of the lender's staff: kept as scrypt hashes with their own salt and cost, compared in constant time.
import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { randomOctets } from '#kit/crypto/random.ts'
import { atMost } from '#kit/runtime/at-most.ts'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
/** Hashing runs in the threads that also read files, four of them by default: half of them are left for that. */
const hashing = atMost(2)
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }
const hashBytes = 32

/** The hash to keep: `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomOctets(16)
  const hash = await hashing(() => derive(password.normalize('NFC'), salt, hashBytes, cost))
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Whether it is the password. Without a hash it takes as long and is wrong: nobody learns which names exist. */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (kept ?? nobodys).split('$')
  const keptCost = { N: Number(N), r: Number(r), p: Number(p), maxmem: cost.maxmem }
  const given = await hashing(() =>
    derive(password.normalize('NFC'), Buffer.from(salt, 'base64url'), hashBytes, keptCost),
  )
  return timingSafeEqual(given, Buffer.from(hash, 'base64url')) && kept !== undefined
}

const nobodys = `scrypt$${cost.N}$${cost.r}$${cost.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`
