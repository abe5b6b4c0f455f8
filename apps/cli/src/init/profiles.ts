// What each program needs outside the sandbox: the questions, the secrets that are made, and the settings that follow.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { derivingName, readSettings, type Settings } from '@lendloom/foundation/config'
import { settingsFaults as partnerFaults } from '@lendloom/partner/operations/installation'
import { settings as partnerSettings } from '@lendloom/partner/settings'
import { settingsFaults as platformFaults } from '@lendloom/platform/operations/installation'
import { networkNames } from '@lendloom/platform/operations/network'
import { settings as platformSettings } from '@lendloom/platform/settings'
import { newSealKey } from '@lendloom/seal/seal'
import { encryptionKeysFrom } from '@lendloom/wire/network/challenge'
import { signingKeysFrom } from '@lendloom/wire/network/signing'
import type { RealProgram } from '#cli/program-names.ts'

/** The answers by option name. */
export type InitAnswers = Record<string, string>

export interface Question {
  option: string
  setting: string
  ask: string
  /** The answer is kept in a file of its own. */
  isSecret?: boolean
  isOptional?: boolean
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
  create(): Creation
  missing(env: Record<string, string>): MissingSetting[]
}

export interface MissingSetting {
  name: string
  about: string
  fault: string
  isSecret: boolean
  /** The fields of a JSON object; empty for another setting. */
  fields: readonly string[]
}

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
  isSecret: true,
})
const mail: Question[] = [
  {
    option: 'mail',
    setting: 'SMTP_URL',
    ask: 'Mail server, as smtp://user:password@host:587; empty for none',
    isSecret: true,
    isOptional: true,
  },
  { option: 'alerts', setting: 'ALERT_EMAIL', ask: 'E-mail address for alerts; empty for none', isOptional: true },
]

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
    { option: 'network', setting: 'NETWORK', ask: `Network: ${networkNames.join(' or ')}`, suggest: () => 'preprod' },
    ...mail,
  ],
  create() {
    const signing = signingKeysFrom(randomBytes(32))
    const encryption = encryptionKeysFrom(randomBytes(32))
    const aggregator = newRsaKeys()
    const registrar = newRsaKeys()
    return {
      secrets: {
        LENDLOOM_KEYS: newSealKey('k1'),
        NETWORK_SIGNING_KEY: signing.privateKey,
        NETWORK_ENCRYPTION_KEY: encryption.privateKey,
        AA_SIGNING_KEY: aggregator.privateKey,
        MFC_SIGNING_KEY: registrar.privateKey,
      },
      settings: {},
      publicKeys: {
        'network, signing (Ed25519)': signing.publicKey,
        'network, encryption (X25519)': encryption.publicKey,
        'account aggregator (RSA)': aggregator.publicKey,
        'registrar of mutual funds (RSA)': registrar.publicKey,
      },
    }
  },
  missing: (env) => missingIn(platformSettings, readSettings(platformSettings, env, platformFaults)),
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
    ...mail,
  ],
  create: () => ({
    secrets: { LENDLOOM_KEYS: newSealKey('k1') },
    settings: { PARTNER_AUTOPILOT: 'off', PARTNER_DESK_SECOND_FACTOR: 'required' },
    publicKeys: {},
  }),
  missing: (env) => missingIn(partnerSettings, readSettings(partnerSettings, env, partnerFaults)),
}

export const profiles: Record<RealProgram, Profile> = { platform, partner }

/** Each fault begins with the name of its setting. A part of a group counts as the group. */
function missingIn(settings: Settings, { faults }: { faults: string[] }): MissingSetting[] {
  const names = faults.flatMap((fault) => /^[A-Z][A-Z0-9_]+/.exec(fault) ?? [])
  return [...new Set(names.map((name) => derivingName(settings, name)))].map((name) => {
    const { about = '', secret: isSecret = false, derived } = settings[name] ?? {}
    const fault = faults.find((each) => each.startsWith(`${name} `)) ?? ''
    return { name, about, fault, isSecret, fields: derived?.fields ?? [] }
  })
}
