// What the platform must know to send borrowers to an account aggregator, with defaults that suit the sandbox.
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
}
