// What a provider and its client have agreed on, which both must be told; the defaults are those of the sandbox.
import { secret, text } from '#kit/runtime/config.ts'

export const agreedWithProviders = {
  KYC_CREDENTIAL: secret('What the identity provider is called with', 'sandbox-kyc-key-of-lendloom'),
  KYC_CALLBACK_SECRET: secret(
    'What the identity provider signs its callbacks with',
    'whsec_c2FuZGJveC1reWMtY2FsbGJhY2stc2VjcmV0LTE=',
  ),
  MANDATE_CREDENTIAL: secret('What the mandate provider is called with', 'sandbox-mandate-key-of-lendloom'),
  MANDATE_CALLBACK_SECRET: secret(
    'What the mandate provider signs its callbacks with',
    'whsec_c2FuZGJveC1tYW5kYXRlLWNhbGxiYWNrLXNlY3JldC0x',
  ),
  ESIGN_CREDENTIAL: secret('What the e-sign provider is called with', 'sandbox-esign-key-of-lendloom'),
  ESIGN_CALLBACK_SECRET: secret(
    'What the e-sign provider signs its callbacks with',
    'whsec_c2FuZGJveC1lc2lnbi1jYWxsYmFjay1zZWNyZXQtMQ==',
  ),
  STATEMENT_CREDENTIAL: secret('What the statement analyser is called with', 'sandbox-statement-key-of-lendloom'),
  STATEMENT_CALLBACK_SECRET: secret(
    'What the statement analyser signs its callbacks with',
    'whsec_c2FuZGJveC1zdGF0ZW1lbnQtY2FsbGJhY2stc2VjcmV0LTE=',
  ),
  MFC_CLIENT_ID: text('What MF Central knows us by', 'lendloom'),
  MFC_CLIENT_SECRET: secret(
    'What MF Central gives us its tokens for; until it is set, no statement of mutual funds is fetched outside the sandbox',
    'sandbox-mfc-secret-of-lendloom',
  ),
  MFC_USERNAME: text('Our user at MF Central', 'lendloom'),
  MFC_PASSWORD: secret('Its password', 'sandbox-mfc-password-of-lendloom'),
  MFC_ENCRYPTION_KEY: secret('What messages to and from MF Central are encrypted with', 'sandbox-mfc-key-of-lendloom'),
  MFC_ENCRYPTION_IV: text('The initial vector of these messages: 16 characters', 'globalaesvectors'),
  MFC_URL_KEY: secret(
    'What the addresses are encrypted with that send borrowers to MF Central: 32 characters',
    'sandbox-mfc-address-key-32-chars',
  ),
  BUREAU_CREDENTIAL: secret('What the credit bureau is called with', 'sandbox-bureau-key-of-lendloom'),
}
