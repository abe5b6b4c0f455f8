// What each program needs outside the sandbox: the questions, the secrets that are made, and the settings that follow.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { RealProgram } from '#cli/programs.ts'
import { encryptionKeysFrom } from '#contract/network/challenge.ts'
import { signingKeysFrom } from '#contract/network/signing.ts'
import { newSealKey } from '#kit/crypto/seal.ts'
import { readSettings, type Settings } from '#kit/runtime/config.ts'
import { settingsFaults as partnerFaults } from '#partner/outside-sandbox.ts'
import { settings as partnerSettings } from '#partner/settings.ts'
import { settingsFaults as platformFaults } from '#platform/outside-sandbox.ts'
import { settings as platformSettings } from '#platform/settings.ts'

/** The answers by option name. */
export type InitAnswers = Record<string, string>

export interface Question {
  option: string
  /** The setting that reads the answer. */
  setting: string
  ask: string
  /** The answer when the operator only presses Enter. */
  suggest?: (answers: InitAnswers) => string
}

/** What a program gets: its secrets, its other settings, and the public keys that other parties ask for. */
export interface Creation {
  secrets: Record<string, string>
  settings: Record<string, string>
  publicKeys: Record<string, string>
}

export interface Profile {
  questions: Question[]
  create(answers: InitAnswers): Creation
  /** Returns the settings that the program still misses, each with its meaning. */
  missing(env: Record<string, string>): [name: string, about: string][]
}

/** The network's environments, as the network publishes them. */
const networks: Record<string, Record<string, string>> = {
  preprod: {
    NETWORK_REGISTRY_URL: 'https://preprod.registry.ondc.org',
    NETWORK_GATEWAY_URL: 'https://preprod.gateway.ondc.org',
    NETWORK_REGISTRY_ENCRYPTION_KEY: 'MCowBQYDK2VuAyEAa9Wbpvd9SsrpOZFcynyt/TO3x0Yrqyys4NUGIvyxX2Q=',
  },
  prod: {
    NETWORK_REGISTRY_URL: 'https://prod.registry.ondc.org',
    NETWORK_GATEWAY_URL: 'https://prod.gateway.ondc.org',
    NETWORK_REGISTRY_ENCRYPTION_KEY: 'MCowBQYDK2VuAyEAvVEyZY91O2yV8w8/CAwVDAnqIZDJJUPdLUUKwLo3K0M=',
  },
}
export const networkNames = Object.keys(networks)

/** RSA of 3072 bits: base64 of PKCS #8 DER, and of SPKI DER. */
function newRsaKeys(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 3072,
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  return { privateKey: privateKey.toString('base64'), publicKey: publicKey.toString('base64') }
}

const address = (setting: string, ask: string): Question => ({ option: 'url', setting, ask })
const database = (setting: string): Question => ({
  option: 'database',
  setting,
  ask: 'URL of the PostgreSQL database, as postgres://user:password@host/name',
})

const platform: Profile = {
  questions: [
    address('PUBLIC_URL', 'URL at which browsers and lenders reach the platform, as https://lend.example'),
    database('DATABASE_URL'),
    {
      option: 'subscriber',
      setting: 'NETWORK_SUBSCRIBER_ID',
      ask: 'Subscriber id on the network: a domain name',
      suggest: ({ url = '' }) => URL.parse(url)?.hostname.replace(/^www\./, '') ?? '',
    },
    { option: 'network', setting: '', ask: `Network: ${networkNames.join(' or ')}`, suggest: () => 'preprod' },
  ],
  create({ network = '' }) {
    const [signing, encryption] = [signingKeysFrom(randomBytes(32)), encryptionKeysFrom(randomBytes(32))]
    const [aggregator, registrar] = [newRsaKeys(), newRsaKeys()]
    return {
      secrets: {
        LENDLOOM_KEYS: newSealKey('k1'),
        NETWORK_SIGNING_KEY: signing.privateKey,
        NETWORK_ENCRYPTION_KEY: encryption.privateKey,
        AA_SIGNING_KEY: aggregator.privateKey,
        MFC_SIGNING_KEY: registrar.privateKey,
      },
      settings: networks[network] ?? {},
      publicKeys: {
        'network, signing (Ed25519)': signing.publicKey,
        'network, encryption (X25519)': encryption.publicKey,
        'account aggregator (RSA)': aggregator.publicKey,
        'registrar of mutual funds (RSA)': registrar.publicKey,
      },
    }
  },
  missing: (env) => namesIn(platformSettings, readSettings(platformSettings, env, platformFaults)),
}

const partner: Profile = {
  questions: [
    address('PARTNER_PUBLIC_URL', 'URL at which platforms and officers reach the partner, as https://lender.example'),
    database('PARTNER_DATABASE_URL'),
    {
      option: 'files',
      setting: 'PARTNER_FILES_DIR',
      ask: "Directory for borrowers' files, as an absolute path that survives an upgrade",
      suggest: () => '/var/lib/lendloom/files',
    },
  ],
  create: () => ({
    secrets: { LENDLOOM_KEYS: newSealKey('k1') },
    settings: { PARTNER_AUTOPILOT: 'off', PARTNER_DESK_SECOND_FACTOR: 'required' },
    publicKeys: {},
  }),
  missing: (env) => namesIn(partnerSettings, readSettings(partnerSettings, env, partnerFaults)),
}

export const profiles: Record<RealProgram, Profile> = { platform, partner }

/** Each fault begins with the name of its setting. */
function namesIn(settings: Settings, { faults }: { faults: string[] }): [name: string, about: string][] {
  const names = faults.flatMap((fault) => /^[A-Z][A-Z0-9_]+/.exec(fault) ?? [])
  return [...new Set(names)].map((name) => [name, settings[name]?.about ?? ''])
}
