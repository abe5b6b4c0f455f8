// What the platform must know of those it sends borrowers to, and asks about them, with defaults that suit the sandbox.
import { agreedWithProviders } from '#contract/provider/request.ts'
import { readJson } from '#kit/http/body.ts'
import { Closed, OneOf, parse, type Static, Type } from '#kit/http/schema.ts'
import { flag, number, type Setting, secret, text, url } from '#kit/runtime/config.ts'

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
 * The adapters that there are, of each kind of provider; the first one is used where nothing else was chosen. Each is named
 * after what it speaks: `lendloom` is our own interface, which the sandbox plays, `rebit` that of India's account aggregators,
 * `mfcentral` that of the mutual funds' registrars.
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

/** For every application where `application` is absent, and with every lender where `lender` is. */
const ProviderChoices = Type.Array(
  Closed({ kind: OneOf(providerKinds), use: Name, application: Type.Optional(Name), lender: Type.Optional(Name) }),
)
export type ProviderChoices = Static<typeof ProviderChoices>

const providerChoices = (about: string): Setting<ProviderChoices> => ({
  ...text(about, '[]'),
  read(value) {
    // Its schema is compiled for who has something to choose.
    if (value === '[]') return []
    const choices = parse(ProviderChoices, readJson(Buffer.from(value)), 'choices')
    for (const [index, { kind, use }] of choices.entries()) {
      const names: readonly string[] = adapterNames[kind]
      if (!names.includes(use)) throw new Error(`choices.${index}.use must be one of ${names.join(', ')}`)
    }
    return choices
  },
})

export const providerSettings = {
  PROVIDER_CHOICES: providerChoices(
    'Which adapter is used for a kind of provider, as a JSON array of {"kind", "use", "application", "lender"}; the first entry that fits decides, application and lender may be left out, and without one it is the first adapter of the kind',
  ),
  PROVIDER_SECONDS: number(
    'How long a provider may take over an answer; three times as long over a document',
    10,
    1,
    60,
  ),
  AA_REGISTRY_URL: url('The directory of account aggregators', 'http://127.0.0.1:4200/aggregator/registry'),
  AA_ID: text('The account aggregator that borrowers are sent to', 'aa.sandbox.example'),
  AA_HANDLE: text("What follows the mobile number in a borrower's handle there", 'sandbox-aa'),
  AA_LSP_ID: text('Our name among account aggregators', 'lsp.lendloom.example'),
  AA_SECRET: secret('What redirections are encrypted with; issued by the aggregator', 'sandbox-secret-of-lendloom'),
  AA_API_KEY: secret('What we call the aggregator with; issued by it', 'sandbox-key-of-lendloom'),
  AA_KEY_ID: text('The name of our signing key in the directory', 'lsp-key-1'),
  AA_SIGNING_KEY: secret(
    'Our RSA private key: base64 of PKCS #8 DER; empty makes one for this process, which only the sandbox learns of',
    '',
  ),
  AA_ESCAPED_FIELDS: flag('Whether the aggregator wants every value inside a redirection escaped', 'off'),
  KYC_PROVIDER: text('The identity provider, as the lending partner is told', 'SANDBOX_KYC'),
  KYC_URL: url('The identity provider', 'http://127.0.0.1:4200/verification/kyc'),
  MANDATE_PROVIDER: text('The mandate provider, as the lending partner is told', 'SANDBOX_MANDATE'),
  MANDATE_URL: url('The mandate provider', 'http://127.0.0.1:4200/verification/mandate'),
  ESIGN_PROVIDER: text('The e-sign provider, as the lending partner is told', 'SANDBOX_ESIGN'),
  ESIGN_URL: url('The e-sign provider', 'http://127.0.0.1:4200/verification/esign'),
  STATEMENT_PROVIDER: text('The statement analyser, in our logs', 'SANDBOX_STATEMENT'),
  STATEMENT_URL: url('The statement analyser', 'http://127.0.0.1:4200/verification/statement'),
  BUREAU_PROVIDER: text(
    'The credit bureau, as the lending partner is told; a name that has CIBIL, EXPERIAN, EQUIFAX or CRIF in it is told to a borrower whom the partner refuses by that report',
    'SANDBOX_BUREAU',
  ),
  BUREAU_URL: url('The credit bureau', 'http://127.0.0.1:4200/bureau'),
  MFC_URL: url('MF Central, where statements of mutual funds are fetched', 'http://127.0.0.1:4200/mfcentral'),
  MFC_PAGE_URL: url('The pages of MF Central, to which borrowers are sent', 'http://127.0.0.1:4200/mfcentral'),
  MFC_SIGNING_KEY_ID: text('The name of our signing key at MF Central', 'lendloom-mfc-1'),
  MFC_SIGNING_KEY: secret(
    'Our RSA private key for MF Central: base64 of PKCS #8 DER; empty makes one for this process, which only the sandbox learns of',
    '',
  ),
  MFC_PUBLIC_KEY: text(
    'The RSA public key that MF Central signs with: base64 of SPKI DER; the sandbox tells its own',
    '',
  ),
  CASHFREE_URL: url('The API of Cashfree Verification, for its e-sign', 'https://api.cashfree.com/verification'),
  CASHFREE_CLIENT_ID: text('What Cashfree knows us by; needed where its adapter is chosen', ''),
  CASHFREE_CLIENT_SECRET: secret('What Cashfree is called with; needed where its adapter is chosen', ''),
  CASHFREE_WEBHOOK_SECRET: secret(
    'What Cashfree signs its webhooks with, the client secret of the oldest active key; empty is the client secret',
    '',
  ),
  ...agreedWithProviders,
}

/** What has no default, and an adapter cannot do without. */
export const neededBy: { [Adapter in string]?: readonly (keyof typeof providerSettings)[] } = {
  cashfree: ['CASHFREE_CLIENT_ID', 'CASHFREE_CLIENT_SECRET'],
}

/** The sandbox as all providers; environment variables override it. */
export const sandboxProviders = (sandboxUrl: string) => ({
  KYC_URL: `${sandboxUrl}/verification/kyc`,
  MANDATE_URL: `${sandboxUrl}/verification/mandate`,
  ESIGN_URL: `${sandboxUrl}/verification/esign`,
  STATEMENT_URL: `${sandboxUrl}/verification/statement`,
  BUREAU_URL: `${sandboxUrl}/bureau`,
  MFC_URL: `${sandboxUrl}/mfcentral`,
  MFC_PAGE_URL: `${sandboxUrl}/mfcentral`,
})
