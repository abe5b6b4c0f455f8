// Settings of the providers, whose defaults suit the sandbox, and the choice of an adapter for each kind of provider.

import { type Config, flag, number, type Setting, secret, text, url } from '@lendloom/foundation/config'
import { Closed, OneOf, parse, type Static, Type } from '@lendloom/foundation/schema'
import { httpsUrl, line, settingGroup } from '@lendloom/foundation/setting-group'
import { readJson } from '@lendloom/http/body'
import { isConsistentPair, privateKeyFrom } from '@lendloom/seal/jws'
import { sharedProviderSettings } from '@lendloom/wire/provider/common-interface'

export const providerKinds = [
  'kyc',
  'esign',
  'mandate',
  'bank-statement',
  'bureau',
  'account-aggregator',
  'registrar',
] as const
export type ProviderKind = (typeof providerKinds)[number]

/**
 * The adapters of each kind of provider. The first adapter is the default. `lendloom` is for providers with our own
 * interface, which the sandbox simulates. `rebit` is for India's account aggregators. `mfcentral` is for MF Central, the
 * service of the mutual funds' registrars.
 */
export const adapterNames = {
  kyc: ['lendloom'],
  esign: ['lendloom', 'cashfree'],
  mandate: ['lendloom'],
  'bank-statement': ['lendloom'],
  bureau: ['lendloom'],
  'account-aggregator': ['rebit'],
  registrar: ['mfcentral'],
} as const satisfies Record<ProviderKind, readonly string[]>
export type AdapterName<Kind extends ProviderKind> = (typeof adapterNames)[Kind][number]

const Name = Type.String({ minLength: 1, maxLength: 300 })

/** `use` is the name of an adapter. An entry without `application` or `lender` matches all applications or lenders. */
const ProviderChoices = Type.Array(
  Closed({ kind: OneOf(providerKinds), use: Name, application: Type.Optional(Name), lender: Type.Optional(Name) }),
)
export type ProviderChoices = Static<typeof ProviderChoices>

const choicesSetting = (about: string): Setting<ProviderChoices> => ({
  ...text(about, '[]'),
  read(value) {
    // Skips the schema for the default, because compiling the schema is slow.
    if (value === '[]') return []
    const choices = parse(ProviderChoices, readJson(Buffer.from(value)), 'choices')
    for (const [index, { kind, use }] of choices.entries()) {
      const names: readonly string[] = adapterNames[kind]
      if (!names.includes(use)) throw new Error(`choices.${index}.use must be one of ${names.join(', ')}`)
    }
    return choices
  },
})

/** An RSA private key of at least 2048 bits; empty in the sandbox. */
const rsaKey = (about: string): Setting<string> => ({
  ...secret(about, ''),
  read(value) {
    const key = value === '' ? null : privateKeyFrom(value)
    if (value !== '' && key === null)
      throw new Error('must be an RSA private key of at least 2048 bits, as base64 of PKCS #8 DER')
    if (key && !isConsistentPair(key)) throw new Error('must be an RSA private key whose numbers belong together')
    return value
  },
})

export const providerSettings = {
  PROVIDER_CHOICES: choicesSetting(
    'The adapter for each kind of provider, as a JSON array of {"kind", "use", "application", "lender"}; the first matching entry decides, application and lender are optional, and the default is the first adapter of the kind',
  ),
  PROVIDER_SECONDS: number(
    'Seconds that a provider may take to respond; three times as long for a document',
    10,
    1,
    60,
  ),
  AA_ACCOUNT: {
    ...settingGroup('Our account at the account aggregator', {
      registryUrl: httpsUrl('AA_REGISTRY_URL'),
      id: line('AA_ID'),
      handle: line('AA_HANDLE'),
      lspId: line('AA_LSP_ID'),
      secret: line('AA_SECRET'),
      apiKey: line('AA_API_KEY'),
    }),
    secret: true,
  },
  AA_REGISTRY_URL: url('The directory of account aggregators', 'http://127.0.0.1:4200/aggregator/registry'),
  AA_ID: text('The id of the account aggregator that borrowers are redirected to', 'aa.sandbox.example'),
  AA_HANDLE: text("The part of a borrower's handle there after the @", 'sandbox-aa'),
  AA_LSP_ID: text('Our id at account aggregators', 'lsp.lendloom.example'),
  AA_SECRET: secret('The secret that encrypts redirects; issued by the aggregator', 'sandbox-secret-of-lendloom'),
  AA_API_KEY: secret('Our API key at the aggregator; issued by it', 'sandbox-key-of-lendloom'),
  AA_KEY_ID: text('The name of our signing key in the directory', 'lsp-key-1'),
  AA_SIGNING_KEY: rsaKey(
    'Our RSA private key: base64 of PKCS #8 DER; if empty, the process generates one, which works only with the sandbox',
  ),
  AA_ESCAPED_FIELDS: flag('Whether the aggregator requires every value in a redirect to be escaped', 'off'),
  KYC_PROVIDER: text('The name of the KYC provider that is sent to lending partners', 'SANDBOX_KYC'),
  KYC_URL: url('The URL of the KYC provider', 'http://127.0.0.1:4200/verification/kyc'),
  MANDATE_PROVIDER: text('The name of the mandate provider that is sent to lending partners', 'SANDBOX_MANDATE'),
  MANDATE_URL: url('The URL of the mandate provider', 'http://127.0.0.1:4200/verification/mandate'),
  ESIGN_PROVIDER: text('The name of the e-sign provider that is sent to lending partners', 'SANDBOX_ESIGN'),
  ESIGN_URL: url('The URL of the e-sign provider', 'http://127.0.0.1:4200/verification/esign'),
  STATEMENT_PROVIDER: text('The name of the statement analyser in our logs', 'SANDBOX_STATEMENT'),
  STATEMENT_URL: url('The URL of the statement analyser', 'http://127.0.0.1:4200/verification/statement'),
  BUREAU_PROVIDER: text(
    'The name of the credit bureau that is sent to lending partners; if it contains CIBIL, EXPERIAN, EQUIFAX or CRIF, a borrower who is refused because of its report sees that name',
    'SANDBOX_BUREAU',
  ),
  BUREAU_URL: url('The URL of the credit bureau', 'http://127.0.0.1:4200/bureau'),
  MFC_URL: url('The URL of MF Central, for statements of mutual funds', 'http://127.0.0.1:4200/mfcentral'),
  MFC_PAGE_URL: url(
    "The URL of MF Central's pages, which borrowers are redirected to",
    'http://127.0.0.1:4200/mfcentral',
  ),
  MFC_SIGNING_KEY_ID: text('The name of our signing key at MF Central', 'lendloom-mfc-1'),
  MFC_SIGNING_KEY: rsaKey(
    'Our RSA private key for MF Central: base64 of PKCS #8 DER; if empty, the process generates one, which works only with the sandbox',
  ),
  MFC_PUBLIC_KEY: text(
    'The RSA public key that MF Central signs with: base64 of SPKI DER; not needed in the sandbox, which sends its own',
    '',
  ),
  CASHFREE_URL: url('The API of Cashfree Verification, for its e-sign', 'https://api.cashfree.com/verification'),
  CASHFREE_CLIENT_ID: text('Our client id at Cashfree; required if its adapter is chosen', ''),
  CASHFREE_CLIENT_SECRET: secret('Our client secret at Cashfree; required if its adapter is chosen', ''),
  CASHFREE_WEBHOOK_SECRET: secret(
    "The secret that signs Cashfree's webhooks: the client secret of the oldest active key; by default the client secret",
    '',
  ),
  ...sharedProviderSettings,
}

/** Settings that an adapter requires and that have no default. */
const requiredSettings: { [Adapter in string]?: readonly (keyof typeof providerSettings)[] } = {
  cashfree: ['CASHFREE_CLIENT_ID', 'CASHFREE_CLIENT_SECRET'],
}

/** The application and the lender for which an adapter is chosen. */
export interface AdapterScope {
  application: string
  /** The lender's name in the exchange or on the network. */
  lender: string
}

/** Returns the adapter name of the first matching entry, or the default of the kind if no entry matches. */
export function adapterFor(
  { PROVIDER_CHOICES }: { PROVIDER_CHOICES: ProviderChoices },
  kind: ProviderKind,
  { application, lender }: AdapterScope,
): string {
  const choice = PROVIDER_CHOICES.find(
    (each) =>
      each.kind === kind && (each.application ?? application) === application && (each.lender ?? lender) === lender,
  )
  return choice?.use ?? adapterNames[kind][0]
}

/** Returns a message for each missing setting of the chosen adapters. */
export function missingSettings(config: Partial<Config<typeof providerSettings>>): string[] {
  const used = new Set((config.PROVIDER_CHOICES ?? []).map(({ use }) => use))
  return [...used].flatMap((use) =>
    (requiredSettings[use] ?? [])
      .filter((name) => config[name] === '')
      .map((name) => `${name} must be set when ${use} is used`),
  )
}

/** Whether the default adapter of a kind is never used: an entry for all chooses another, and no entry chooses it. */
export function isDefaultAdapterUnused(choices: ProviderChoices, kind: ProviderKind): boolean {
  const choicesOfKind = choices.filter((each) => each.kind === kind)
  const isForAll = choicesOfKind.some(({ application, lender }) => application === undefined && lender === undefined)
  return isForAll && choicesOfKind.every(({ use }) => use !== adapterNames[kind][0])
}
