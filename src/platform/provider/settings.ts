// What the platform must know of those it sends borrowers to, and asks about them, with defaults that suit the sandbox.
import { flag, secret, text, url } from '#kit/config.ts'

export const providerSettings = {
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
  KYC_CREDENTIAL: secret('What we call the identity provider with', 'sandbox-kyc-key-of-lendloom'),
  KYC_CALLBACK_SECRET: secret(
    'What the identity provider signs its callbacks with',
    'whsec_c2FuZGJveC1reWMtY2FsbGJhY2stc2VjcmV0LTE=',
  ),
  MANDATE_PROVIDER: text('The mandate provider, as the lending partner is told', 'SANDBOX_MANDATE'),
  MANDATE_URL: url('The mandate provider', 'http://127.0.0.1:4200/verification/mandate'),
  MANDATE_CREDENTIAL: secret('What we call the mandate provider with', 'sandbox-mandate-key-of-lendloom'),
  MANDATE_CALLBACK_SECRET: secret(
    'What the mandate provider signs its callbacks with',
    'whsec_c2FuZGJveC1tYW5kYXRlLWNhbGxiYWNrLXNlY3JldC0x',
  ),
  ESIGN_PROVIDER: text('The e-sign provider, as the lending partner is told', 'SANDBOX_ESIGN'),
  ESIGN_URL: url('The e-sign provider', 'http://127.0.0.1:4200/verification/esign'),
  ESIGN_CREDENTIAL: secret('What we call the e-sign provider with', 'sandbox-esign-key-of-lendloom'),
  ESIGN_CALLBACK_SECRET: secret(
    'What the e-sign provider signs its callbacks with',
    'whsec_c2FuZGJveC1lc2lnbi1jYWxsYmFjay1zZWNyZXQtMQ==',
  ),
  STATEMENT_PROVIDER: text('The statement analyser, in our logs', 'SANDBOX_STATEMENT'),
  STATEMENT_URL: url('The statement analyser', 'http://127.0.0.1:4200/verification/statement'),
  STATEMENT_CREDENTIAL: secret('What we call the statement analyser with', 'sandbox-statement-key-of-lendloom'),
  STATEMENT_CALLBACK_SECRET: secret(
    'What the statement analyser signs its callbacks with',
    'whsec_c2FuZGJveC1zdGF0ZW1lbnQtY2FsbGJhY2stc2VjcmV0LTE=',
  ),
  BUREAU_PROVIDER: text('The credit bureau, as the lending partner is told', 'SANDBOX_BUREAU'),
  BUREAU_URL: url('The credit bureau', 'http://127.0.0.1:4200/bureau'),
  BUREAU_CREDENTIAL: secret('What we call the credit bureau with', 'sandbox-bureau-key-of-lendloom'),
}

/** Where the sandbox plays all of them; what the environment says goes before it. */
export const sandboxProviders = (sandboxUrl: string) => ({
  KYC_URL: `${sandboxUrl}/verification/kyc`,
  MANDATE_URL: `${sandboxUrl}/verification/mandate`,
  ESIGN_URL: `${sandboxUrl}/verification/esign`,
  STATEMENT_URL: `${sandboxUrl}/verification/statement`,
  BUREAU_URL: `${sandboxUrl}/bureau`,
})
